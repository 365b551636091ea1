import { listenersOf } from '../../catalogue/listeners/listeners.ts'
import { type CarriedRow, carryOver, type CarryRule, giveBack } from '../../database/carry-over.ts'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { type Entity, insertRows, selectRows } from './queries.ts'

/** What is kept of things as they were, so that a merge can be taken back. */
export interface MergeRecord {
  readonly kind: string
  /** Whose it is, where it is somebody's: it is forgotten with them. */
  readonly userId?: string
  readonly content: unknown
}

export const saveMergeRecords = (db: WriteDb, mergeId: string, records: readonly MergeRecord[]): Promise<void> =>
  insertRows(
    db,
    records.map(({ kind, userId = null, content }, number) => ({
      merge_id: mergeId,
      number,
      kind,
      user_id: userId,
      content: JSON.stringify(content),
    })),
  )

export const recordsOf = (kind: string, rows: readonly unknown[]): MergeRecord[] =>
  rows.map((content) => ({ kind, content }))

/** Answers what was kept of one kind, in the order in which it was. */
export const readMergeRecords = async (db: ReadDb, mergeId: string) => {
  const rows = Map.groupBy(await selectRows(db, mergeId), ({ kind }) => kind)
  return <Content>(kind: string): Content[] =>
    (rows.get(kind) ?? []).map(({ content }) => JSON.parse(content) as Content)
}

type Reading = Awaited<ReturnType<typeof readMergeRecords>>

/** What hangs on books or series that become part of another goes over to that one; it returns what was there before. */
export const carryRowsOver = async (
  db: WriteDb,
  entity: Entity,
  merging: Parameters<typeof carryOver>[2],
): Promise<MergeRecord[]> => {
  const records: MergeRecord[] = []
  for (const rule of rulesFor(db, entity)) {
    const rows = await carryOver(db, rule, merging)
    const { kind } = rule
    if (kind !== undefined)
      records.push(
        ...rows.map((content) => ({
          kind,
          content,
          ...('user_id' in content && { userId: String(content['user_id']) }),
        })),
      )
  }
  return records
}

export const returnRows = async (
  db: WriteDb,
  entity: Entity,
  { records, intoId, now }: { readonly records: Reading; readonly intoId: string; readonly now: Date },
): Promise<void> => {
  for (const rule of rulesFor(db, entity)) await giveBack(db, rule, { carried: rowsOf(records, rule), intoId, now })
}

const rulesFor = (db: WriteDb, entity: Entity): readonly CarryRule[] =>
  listenersOf(db).merged.filter(({ of }) => of === entity)

/** Merges of before the rules kept ratings, marks and covers in words of their own. */
const rowsOf = (readRecords: Reading, { table, kind, by }: CarryRule): CarriedRow[] =>
  kind === undefined
    ? []
    : [
        ...readRecords<CarriedRow>(kind),
        ...readRecords<CarriedRow>('mark').filter((mark) => mark['kind'] === table),
        ...readRecords<{ readonly moved?: CarriedRow[] }>(table === 'cover' ? 'covers' : '').flatMap(
          ({ moved }) => moved ?? [],
        ),
      ].map(({ entity_id: entityId, ...row }) => (entityId === undefined ? row : { ...row, [by[0]]: entityId }))
