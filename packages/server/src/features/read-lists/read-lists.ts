import type { ListAnswer, NewReadList, ReadListDto, ReadListPatch } from '@carrel/api'
import type { Database, ReadDb, WriteDb } from '../../database/database.ts'
import { flag } from '../../database/flag.ts'
import { AppError } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { cleanName } from '../../platform/names.ts'
import { orderOf, type Paging, type Sort } from '../../platform/paging.ts'
import { nameKey, sortKey } from '../../platform/sort-key.ts'
import { requireBook } from '../../catalogue/entries/entries.ts'
import { indexDocuments } from '../../catalogue/search-index/search-index.ts'
import { announceReadList, announceSameReadList, sightsOf } from './news.ts'
import {
  countReadLists,
  deleteReadList,
  insertReadList,
  lockReadList,
  nameIsTaken,
  type Onlooker,
  type ReadListOrder,
  type ReadListRow,
  selectReadLists,
  updateReadList,
  type ReadListFilter,
} from './queries.ts'
import { readReadList } from './one-read-list.ts'

export {
  firstMember as firstBookOfReadList,
  listMembers as listBooksOfReadList,
  replaceMembers as replaceInReadList,
} from './members.ts'
export { readReadList } from './one-read-list.ts'

/** It announces that another cover stands for the list. */
export const announceOtherPicture = (db: WriteDb, readListId: string, now: Date): Promise<void> =>
  announceSameReadList(db, readListId, now)

export { entryRule } from './merge-rules.ts'
export { fillPlacesIn } from './import/fill-places.ts'
export { type ListMatches, matchReadList } from './import/match-list.ts'

export const listReadLists = (
  db: ReadDb,
  onlooker: Onlooker,
  sort: Sort<ReadListOrder['field']> | undefined,
  { search, ...paging }: Paging & { readonly search?: string | undefined },
): Promise<ListAnswer<ReadListDto>> => pageOf(db, onlooker, { search }, { order: orderOf(sort, 'name'), paging })

export const listReadListsOf = async (
  db: ReadDb,
  onlooker: Onlooker,
  bookId: string,
  paging: Paging,
): Promise<ListAnswer<ReadListDto>> => {
  await requireBook(db, onlooker.viewer, bookId)
  return pageOf(db, onlooker, { bookId }, { order: orderOf(undefined, 'name'), paging })
}

const pageOf = async (
  db: ReadDb,
  onlooker: Onlooker,
  wanted: ReadListFilter,
  { order, paging }: { order: ReadListOrder; paging: Paging },
): Promise<ListAnswer<ReadListDto>> => {
  const total = await countReadLists(db, onlooker, wanted)
  if (paging.offset >= total) return { total, data: [] }
  return { total, data: await selectReadLists(db, onlooker, wanted, { order, paging }) }
}

/** One that exists for this onlooker, with the number of books they see in it. */
export const createReadList = (
  db: Database,
  onlooker: Onlooker,
  wanted: NewReadList,
  now: Date,
): Promise<ReadListDto> =>
  db.write(async (db) => {
    const id = await keepReadList(db, wanted, now)
    await announceReadList(db, id, { before: undefined, after: await sightsOf(db, id) }, now)
    return readReadList(db, onlooker, id)
  })

/** It returns its id. Nobody has heard of it yet. */
export const keepReadList = async (
  db: WriteDb,
  { name: spelled, summary = null, ordered = true }: NewReadList,
  now: Date,
): Promise<string> => {
  const name = cleanName(spelled, '/name')
  const at = now.toISOString()
  const row: ReadListRow = {
    id: newId(now.getTime()),
    ...nameColumns(name),
    summary,
    ordered: flag(ordered),
    created_at: at,
    updated_at: at,
  }
  if (!(await insertReadList(db, row))) throw nameTaken(name)
  await indexDocuments(db, 'read_list', [row.id])
  return row.id
}

export const changeReadList = (
  db: Database,
  onlooker: Onlooker,
  id: string,
  { patch, now, expectMatch }: { patch: ReadListPatch; now: Date; expectMatch: (current: ReadListDto) => void },
): Promise<ReadListDto> => {
  const name = patch.name === undefined ? undefined : cleanName(patch.name, '/name')
  return db.write(async (db) => {
    await lockReadList(db, id)
    expectMatch(await readReadList(db, onlooker, id))
    if (name !== undefined && (await nameIsTaken(db, name, id))) throw nameTaken(name)
    await updateReadList(db, id, {
      ...(name !== undefined && nameColumns(name)),
      ...(patch.summary !== undefined && { summary: patch.summary }),
      ...(patch.ordered !== undefined && { ordered: flag(patch.ordered) }),
      updated_at: now.toISOString(),
    })
    await indexDocuments(db, 'read_list', [id])
    await announceSameReadList(db, id, now)
    return readReadList(db, onlooker, id)
  })
}

export const removeReadList = (
  db: Database,
  onlooker: Onlooker,
  id: string,
  { now, expectMatch }: { now: Date; expectMatch: (current: ReadListDto) => void },
): Promise<undefined> =>
  db.write(async (db) => {
    await lockReadList(db, id)
    expectMatch(await readReadList(db, onlooker, id))
    await announceReadList(db, id, { before: await sightsOf(db, id), after: undefined }, now)
    await deleteReadList(db, id)
    return undefined
  })

const nameColumns = (name: string) => ({ name, name_key: nameKey(name), sort_key: sortKey(name) })

const nameTaken = (name: string) => new AppError('already_exists', `There is already a read list named "${name}".`)
