import type { ReadDb, WriteDb } from '../../database/database.ts'
import type { MadeCover } from '../../decoders/cover.ts'
import { newId } from '../../platform/ids.ts'
import { type Entitled, show, showAutomatic, withLock } from './choose-cover.ts'
import {
  type CoverRow,
  deleteCoverRows,
  selectCover,
  selectCoverChoices,
  selectListCover,
  selectLocks,
  upsertCovers,
  upsertListCover,
} from './queries.ts'
import { coverLock, locksIn, toRow } from './record-covers.ts'

/** A picture that is in the store already. */
export type BroughtCover = Pick<MadeCover, 'width' | 'height' | 'placeholder' | 'tone'> & {
  readonly contentHash: string
}

interface Bringing {
  readonly by: string
  readonly now: Date
}

interface ListWithCover {
  readonly kind: 'collection' | 'read_list'
  readonly id: string
  readonly announceChange: (db: WriteDb, now: Date) => Promise<void>
}

const rowOfBrought = (
  { kind, id }: Pick<Entitled | ListWithCover, 'kind' | 'id'>,
  cover: BroughtCover,
  { by, now }: Bringing,
): CoverRow => ({
  ...toRow(kind, id, { ...cover, source: 'upload', page: null }, now),
  id: newId(now.getTime()),
  by_user_id: by,
})

/** It is shown unless somebody has chosen a cover here. It returns its id; undefined where it is not taken. */
export const bringCover = async (
  db: WriteDb,
  entity: Entitled,
  cover: BroughtCover,
  { by, now }: Bringing,
): Promise<string | undefined> => {
  const [choice] = await selectCoverChoices(db, entity.kind, [entity.id])
  if (!choice || locksIn(choice.locks).includes(coverLock)) return undefined
  const row = rowOfBrought(entity, cover, { by, now })
  await upsertCovers(db, [row])
  await show(db, entity, { cover: row, locks: withLock(choice.locks) }, now)
  return row.id
}

export const takeCoverBack = async (db: WriteDb, entity: Entitled, coverId: string, now: Date): Promise<void> => {
  const [choice] = await selectCoverChoices(db, entity.kind, [entity.id])
  const cover = await selectCover(db, entity.id, coverId)
  if (!choice || !cover) return
  await deleteCoverRows(db, [coverId])
  if (choice.cover_id === coverId) await showAutomatic(db, entity, choice.locks, now)
}

export const bringListCover = async (
  db: WriteDb,
  list: ListWithCover,
  cover: BroughtCover,
  { by, now }: Bringing,
): Promise<string | undefined> => {
  if ((await selectListCover(db, list.id)) !== undefined) return undefined
  const row = rowOfBrought(list, cover, { by, now })
  await upsertCovers(db, [row])
  await upsertListCover(db, list.id, row.id)
  await list.announceChange(db, now)
  return row.id
}

export const takeListCoverBack = async (
  db: WriteDb,
  list: ListWithCover,
  coverId: string,
  now: Date,
): Promise<void> => {
  const isShown = (await selectListCover(db, list.id)) === coverId
  if (!(await selectCover(db, list.id, coverId))) return
  await deleteCoverRows(db, [coverId])
  if (isShown) await list.announceChange(db, now)
}

/** It returns those of them for which somebody has chosen a cover here: one that is brought is not shown. */
export const readChosenCovers = async (
  db: ReadDb,
  kind: Entitled['kind'],
  ids: readonly string[],
): Promise<ReadonlySet<string>> => {
  const rows = ids.length === 0 ? [] : await selectLocks(db, kind, ids)
  return new Set(rows.flatMap(({ id, locks }) => (locksIn(locks).includes(coverLock) ? [id] : [])))
}
