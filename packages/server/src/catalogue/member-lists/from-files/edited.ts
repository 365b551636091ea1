import type { WriteDb } from '../../../database/database.ts'
import { flag } from '../../../database/flag.ts'
import { AppError, invalid } from '../../../platform/errors.ts'
import { cleanName } from '../../../platform/text/names.ts'
import { nameKey } from '../../../platform/text/sort-key.ts'
import type { ListKind, ListPatch, ListRow, NewList } from '../kind.ts'
import { insertFromFiles, nameTaken } from '../new-list.ts'
import { isNameTaken, updateList } from '../queries.ts'
import { deleteDeclined, insertDeclined, isClaimed, selectMade } from './queries.ts'
import { noteListNamed } from './note-lists.ts'

type OfFiles = Pick<ListRow, 'id' | 'name_key' | 'files_key' | 'follows_files'>

/** What people have changed stays as it is, whatever files say. */
export const stopFollowing = async (db: WriteDb, kind: ListKind, row: OfFiles): Promise<void> => {
  if (row.follows_files === 1) await updateList(db, kind, row.id, { follows_files: flag(false) })
}

/** It is made what files say again: what people have said of it goes at once, what is in it in a moment. */
export const followAgain = async (db: WriteDb, kind: ListKind, row: OfFiles, now: Date): Promise<void> => {
  if (row.files_key === null) throw invalid('/followsFiles', `This ${kind.name} was not made from files.`)
  if (!(await isClaimed(db, kind.table, row.files_key)))
    throw new AppError('conflict', `No file of a library that makes lists names this ${kind.name} any more.`)
  await updateList(db, kind, row.id, {
    summary: null,
    ordered: flag(kind.isOrdered),
    ...(kind.isAutomatic && { condition: null }),
    follows_files: flag(true),
    updated_at: now.toISOString(),
  })
  await noteListNamed(db, { list: kind.table, nameKey: row.files_key }, now)
}

/** It is not made again of the same files. One that people had made makes way for the list that files call so. */
export const declineList = async (db: WriteDb, kind: ListKind, row: OfFiles, now: Date): Promise<void> => {
  if (row.files_key !== null) await insertDeclined(db, kind.table, row.files_key, now.toISOString())
  await noteListNamed(db, { list: kind.table, nameKey: row.name_key }, now)
}

/** A list that somebody has deleted is made of the same files again, and follows them as before. */
export const restoreList = async (
  db: WriteDb,
  kind: ListKind,
  {
    name: spelled,
    summary,
    ordered,
    condition,
    itemIds,
  }: NewList & { readonly itemIds: readonly string[] | undefined },
  now: Date,
): Promise<ListRow> => {
  // The contract sets the usual order where nothing is said of it.
  if (summary || condition || itemIds || (ordered ?? kind.isOrdered) !== kind.isOrdered)
    throw invalid(
      '/followsFiles',
      `A ${kind.name} that follows files is what they say: ask for nothing else but its name.`,
    )
  const name = cleanName(spelled, '/name')
  const key = { list: kind.table, nameKey: nameKey(name) }
  if (!(await isClaimed(db, key.list, key.nameKey)))
    throw new AppError('conflict', `No file of a library that makes lists names this ${kind.name} any more.`)
  if ((await isNameTaken(db, kind, name)) || (await selectMade(db, kind, key.nameKey))) throw nameTaken(kind, name)
  await deleteDeclined(db, [{ list: key.list, name_key: key.nameKey }])
  const row = await insertFromFiles(db, kind, { name, nameKey: key.nameKey }, now)
  await noteListNamed(db, key, now)
  return row
}

/** Something else is asked for than what is there: who saves a form without a change has changed nothing. */
export const changesAnything = (row: ListRow, { name, summary, ordered, condition }: ListPatch): boolean =>
  (name !== undefined && name !== row.name) ||
  (summary !== undefined && summary !== row.summary) ||
  (ordered !== undefined && flag(ordered) !== row.ordered) ||
  (condition !== undefined && condition !== null)
