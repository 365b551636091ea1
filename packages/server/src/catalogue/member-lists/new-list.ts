import { automaticCollectionsMax } from '@carrel/api'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { flag } from '../../database/flag.ts'
import { AppError, full, invalid } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { cleanName } from '../../platform/text/names.ts'
import { nameKey, sortKey } from '../../platform/text/sort-key.ts'
import { indexDocuments } from '../search-index/search-index.ts'
import { requireOwnCondition } from './automatic.ts'
import type { ListKind, ListRow, NewList } from './kind.ts'
import { insertList, selectConditions } from './queries.ts'

/** Nobody has heard of it yet. */
export const insertNewList = async (
  db: WriteDb,
  kind: ListKind,
  { name: spelled, summary = null, ordered = kind.isOrdered, condition: given = null }: NewList,
  now: Date,
): Promise<ListRow> => {
  const name = cleanName(spelled, '/name')
  const condition = given === null ? null : requireOwnCondition(kind, given)
  requireNoOrder(kind, ordered, condition)
  const row = { ...newRow(kind, name, now), summary, ordered: flag(ordered), ...(kind.isAutomatic && { condition }) }
  if (!(await insertList(db, kind, row))) throw nameTaken(kind, name)
  await indexDocuments(db, kind.table, [row.id])
  if (condition !== null) await requireRoom(db, kind)
  return row
}

/** One that files name, and that nobody has heard of yet. Its name is free. */
export const insertFromFiles = async (
  db: WriteDb,
  kind: ListKind,
  { name, nameKey: filesKey }: { readonly name: string; readonly nameKey: string },
  now: Date,
): Promise<ListRow> => {
  const row = { ...newRow(kind, name, now), files_key: filesKey, follows_files: flag(true) }
  await insertList(db, kind, row)
  await indexDocuments(db, kind.table, [row.id])
  return row
}

const newRow = (kind: ListKind, name: string, now: Date): ListRow => ({
  id: newId(now.getTime()),
  ...nameColumns(name),
  summary: null,
  ordered: flag(kind.isOrdered),
  ...(kind.isAutomatic && { condition: null }),
  files_key: null,
  follows_files: flag(false),
  created_at: now.toISOString(),
  updated_at: now.toISOString(),
})

export const nameColumns = (name: string) => ({ name, name_key: nameKey(name), sort_key: sortKey(name) })

export const nameTaken = (kind: ListKind, name: string) =>
  new AppError('already_exists', `There is already a ${kind.name} named "${name}".`, {
    reason: 'name_taken',
    values: { name },
  })

export const requireNoOrder = (kind: ListKind, ordered: boolean, condition: string | null): void => {
  if (ordered && condition !== null)
    throw invalid('/ordered', `An automatic ${kind.name} has no order of its own: leave out ordered or the condition.`)
}

/** Every one of them is looked through whenever somebody lists them. */
export const requireRoom = async (db: ReadDb, kind: ListKind): Promise<void> => {
  if ((await selectConditions(db, kind)).length > automaticCollectionsMax)
    throw full(automaticCollectionsMax, `There are ${automaticCollectionsMax} automatic ${kind.name}s already.`)
}
