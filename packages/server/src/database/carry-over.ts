import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import type { ReadDb, WriteDb } from './db.ts'
import { insertMany, updateMany } from './many.ts'
import type { Schema } from './schema.ts'

/** A row as a merge keeps it. */
export type CarriedRow = Readonly<Record<string, string | number | null>>

/** How the rows of one table go over from the books or series of a merge to the one that stays, and back. */
export interface CarryRule<Table extends keyof Schema = keyof Schema, Column = string> {
  readonly table: Table
  readonly of: 'series' | 'book'
  /** The columns that hold the id of the book or series. */
  readonly by: readonly [Column, ...Column[]]
  /** Rows with one of these values are made anew rather than moved, and stay where they are. */
  readonly leaves?: { readonly column: Column; readonly values: readonly string[] }
  /** A merge keeps the rows under this name. Absent: what has gone over does not come back. */
  readonly kind?: string
  /** It names who has one row at most for each. Absent: there may be many, which have an `id` each and all go over. */
  readonly owner?: Column
  /** The order of several rows of one owner, of which the first counts; `own` is that of the one that stays, `… desc` begins with the highest. */
  readonly first?: readonly string[]
  /** These stay as they are in the row of the one that stays, whichever counts. */
  readonly keeps?: readonly Column[]
  /** These texts are kept of all rows, that of the one that counts before the others. */
  readonly joins?: readonly Column[]
  /** A row that differs in these has been changed by its owner since the merge, and stays. */
  readonly changedIn?: readonly Column[]
  /** Who has removed their row since the merge gets the others back nevertheless. */
  readonly comesBackAnyway?: boolean
  /** It hears whose rows have gone over or come back. */
  readonly tell?: (db: WriteDb, owners: readonly string[], now: Date) => Promise<void>
}

/** A rule of one table, with columns that are there. */
export const carryRule = <Table extends keyof Schema>(
  rule: CarryRule<Table, keyof Schema[Table] & string>,
): CarryRule => rule

/** It returns the rows as they were before. The call belongs in the transaction of the merge. */
export const carryOver = async (
  db: WriteDb,
  rule: CarryRule,
  { fromIds, intoId, now }: { readonly fromIds: readonly string[]; readonly intoId: string; readonly now: Date },
): Promise<readonly CarriedRow[]> => {
  if (rule.owner === undefined) return moveAll(db, rule, fromIds, intoId)
  const concerned = byOwner(rule, await selectRows(db, rule, [intoId, ...fromIds]), intoId).filter(
    ({ parts }) => parts.length > 0,
  )
  const changed = concerned.filter(({ own, heir }) => !isDeepStrictEqual(own, heir))
  await deleteRows(db, rule, fromIds)
  await deleteRows(db, rule, [intoId], changed)
  await insertRows(
    db,
    rule,
    changed.map(({ heir }) => heir),
  )
  await tell(db, rule, concerned, now)
  return concerned.flatMap(({ own, parts }) => (own ? [own, ...parts] : parts))
}

/** It undoes `carryOver`; what owners have done since with the row of the one that stayed stays. */
export const giveBack = async (
  db: WriteDb,
  rule: CarryRule,
  { carried, intoId, now }: { readonly carried: readonly CarriedRow[]; readonly intoId: string; readonly now: Date },
): Promise<void> => {
  if (carried.length === 0) return
  const there = await selectRows(db, rule, [intoId])
  if (rule.owner === undefined) return moveBack(db, rule, carried, there)
  const standing = new Map(there.map((row) => [ownerIn(rule, row), row]))
  const returning = byOwner(rule, carried, intoId).filter(
    ({ owner }) => rule.comesBackAnyway === true || standing.has(owner),
  )
  const untouched = returning.filter(({ owner, own, heir }) => {
    const row = standing.get(owner)
    return (
      row && !isDeepStrictEqual(own, heir) && (rule.changedIn ?? []).every((column) => row[column] === heir[column])
    )
  })
  await deleteRows(db, rule, [intoId], untouched)
  await insertRows(db, rule, [
    ...untouched.flatMap(({ own }) => (own ? [own] : [])),
    ...returning.flatMap(({ parts }) => parts),
  ])
  await tell(db, rule, returning, now)
}

/** What one owner has for the one that stays, and for those that become part of it. */
interface Owned {
  readonly owner: string
  readonly own: CarriedRow | undefined
  readonly parts: readonly CarriedRow[]
  /** It is what they have for the one that stays after the merge. */
  readonly heir: CarriedRow
}

const byOwner = (rule: CarryRule, rows: readonly CarriedRow[], intoId: string): Owned[] =>
  [...Map.groupBy(rows, (row) => ownerIn(rule, row))].flatMap(([owner, theirs]) => {
    const own = theirs.find((row) => row[rule.by[0]] === intoId)
    const ordered = theirs.toSorted(inOrder(rule, own))
    const [first] = ordered
    if (!first) return []
    const { by, keeps = [], joins = [] } = rule
    const joined = (column: string) => [...new Set(ordered.flatMap((row) => row[column] ?? []))].join('\n\n') || null
    const heir = {
      ...first,
      ...Object.fromEntries(by.map((column) => [column, intoId])),
      ...Object.fromEntries(keeps.map((column) => [column, (own ?? first)[column] ?? null])),
      ...Object.fromEntries(joins.map((column) => [column, joined(column)])),
    }
    return [{ owner, own, parts: theirs.filter((row) => row !== own), heir }]
  })

const inOrder =
  ({ first = [] }: CarryRule, own: CarriedRow | undefined) =>
  (one: CarriedRow, other: CarriedRow): number => {
    for (const rank of first) {
      const [column = '', direction] = rank.split(' ')
      const valueOf = (row: CarriedRow) => (column === 'own' ? Number(row !== own) : (row[column] ?? ''))
      const [a, b] = [valueOf(one), valueOf(other)]
      if (a !== b) return a < b === (direction === 'desc') ? 1 : -1
    }
    return 0
  }

const ownerIn = ({ owner = '' }: CarryRule, row: CarriedRow): string => String(row[owner])

const tell = async (db: WriteDb, rule: CarryRule, owned: readonly Owned[], now: Date): Promise<void> =>
  rule.tell?.(
    db,
    owned.map(({ owner }) => owner),
    now,
  )

const concern = ({ by, leaves }: CarryRule, ids: readonly string[]) => {
  const ofThese = sql`${sql.ref(by[0])} in (${sql.join(ids)})`
  return leaves ? sql`${ofThese} and ${sql.ref(leaves.column)} not in (${sql.join(leaves.values)})` : ofThese
}

const selectRows = async (db: ReadDb, rule: CarryRule, ids: readonly string[]): Promise<CarriedRow[]> => {
  const { rows } = await sql<CarriedRow>`select * from ${sql.table(rule.table)} where ${concern(rule, ids)}`.execute(db)
  return rows
}

const insertRows = (db: WriteDb, { table }: CarryRule, rows: readonly CarriedRow[]): Promise<void> =>
  insertMany(db, table, rows as never, 'is left as it is')

/** Absent: those of all owners. */
const deleteRows = async (
  db: WriteDb,
  rule: CarryRule,
  ids: readonly string[],
  owned?: readonly Owned[],
): Promise<void> => {
  if (owned?.length === 0) return
  const { table, owner = '' } = rule
  const theirs = owned ? sql`${sql.ref(owner)} in (${sql.join(owned.map((each) => each.owner))})` : sql`true`
  await sql`delete from ${sql.table(table)} where ${concern(rule, ids)} and ${theirs}`.execute(db)
}

const moveAll = async (
  db: WriteDb,
  rule: CarryRule,
  fromIds: readonly string[],
  intoId: string,
): Promise<readonly CarriedRow[]> => {
  const { table, by, kind } = rule
  const before = kind === undefined ? [] : await selectRows(db, rule, fromIds)
  await sql`update ${sql.table(table)} set ${sql.ref(by[0])} = ${intoId} where ${concern(rule, fromIds)}`.execute(db)
  // What else stands in a row is not kept, so that it is gone when its owner deletes it.
  const fixedColumns = new Set(['id', 'user_id', by[0]])
  return before.map((row) => Object.fromEntries(Object.entries(row).filter(([column]) => fixedColumns.has(column))))
}

const moveBack = (
  db: WriteDb,
  { table, by: [column] }: CarryRule,
  carriedRows: readonly CarriedRow[],
  there: readonly CarriedRow[],
): Promise<void> => {
  const standing = new Set(there.map((row) => row['id']))
  return updateMany(
    db,
    table,
    { keys: { id: 'text' }, columns: { [column]: 'text' } },
    carriedRows.flatMap((row) => (standing.has(row['id']) ? [{ id: row['id'], [column]: row[column] }] : [])) as never,
  )
}
