import { duplicateMembersMax, type MergedBooks } from '@carrel/api'
import type { Database, ReadDb, WriteDb } from '../../database/database.ts'
import { conflict, invalid } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { noteLists } from '../../catalogue/member-lists/member-lists.ts'
import { announceRefreshed, lockBooks, refresh, updateStateOfBooks } from '../../catalogue/shown/shown.ts'
import { carryCoversOver } from '../covers/covers.ts'
import { announceDuplicates, requireMembers } from '../duplicates/duplicates.ts'
import { carryWordsOver } from '../editing/editing.ts'
import { moveHistory } from '../reading/reading.ts'
import {
  announceBooks,
  type Viewer,
  selectAgeCeilings,
  selectGrantedTags,
} from '../../catalogue/visibility/visibility.ts'
import { carryRowsOver, saveMergeRecords, type MergeRecord, recordsOf } from './merge-records.ts'
import { type BookToMerge, insertMergeRows, insertParts, selectBooksToMerge } from './queries.ts'

interface BookMergeRequest {
  readonly groupId: string
  readonly into: string
  /** Absent: all other members of the group. */
  readonly books?: readonly string[] | undefined
  readonly now: Date
}

interface Merge {
  readonly id: string
  readonly from: readonly BookToMerge[]
  readonly into: BookToMerge
  /** Null: nobody has asked for it; their files lie beside each other. */
  readonly by: string | null
  readonly now: Date
}

/**
 * One book of several: all that people have on the others goes to the one that stays. Their files stay where they are, as
 * further files of that book, which every scan knows and none lists again.
 */
export const mergeBooks = (db: Database, viewer: Viewer, options: BookMergeRequest): Promise<MergedBooks> =>
  db.write(async (db) => {
    const { id, into, from } = await mergeAll(db, await requireGroup(db, viewer, options))
    return { mergeId: id, bookId: into.id, mergedIds: from.map((each) => each.id) }
  })

/** The files of two books are one book in two formats (C21), as if somebody had merged them. It refuses as a merge does. */
export const mergeFormats = async (
  db: WriteDb,
  { fromId, intoId, now }: { readonly fromId: string; readonly intoId: string; readonly now: Date },
): Promise<void> => {
  await mergeAll(db, await requireMergeable(db, { fromIds: [fromId], intoId, by: null, now }), true)
}

const mergeAll = async (db: WriteDb, merge: Merge, isFormat = false): Promise<Merge> => {
  const { id, from, into, by, now } = merge
  const at = now.toISOString()
  const fromIds = from.map((each) => each.id)
  await insertMergeRows(db, [
    {
      id,
      entity: 'book',
      library_id: into.library_id,
      into_id: into.id,
      at,
      by_user_id: by,
      undone_at: null,
    },
  ])
  await announceBooks(db, 'book_deleted', fromIds, now)
  await saveMergeRecords(db, id, await carryOver(db, merge, fromIds))
  await updateStateOfBooks(db, fromIds, { state: 'hidden', missingSince: null, at })
  await insertParts(db, { mergeId: id, fromIds, intoId: into.id, isFormat })
  await refreshMerged(db, merge)
  return merge
}

const requireGroup = async (
  db: WriteDb,
  viewer: Viewer,
  { groupId, into: intoId, books: chosen, now }: BookMergeRequest,
): Promise<Merge> => {
  const members = await requireMembers(db, viewer, 'book', groupId)
  if (!members.includes(intoId)) throw invalid('/into', 'The book that stays must be one of the group.')
  const others = members.filter((id) => id !== intoId)
  const strange = chosen?.findIndex((id) => !others.includes(id)) ?? -1
  if (strange >= 0) throw invalid(`/books/${strange}`, 'Only other books of the group can be merged.')
  const fromIds = chosen ?? others
  if (fromIds.length > duplicateMembersMax)
    throw invalid('/books', `More than ${duplicateMembersMax} books cannot be merged at once. Say which.`)
  return requireMergeable(db, { fromIds, intoId, by: viewer.userId, now })
}

interface BookMergeOptions extends Pick<Merge, 'by' | 'now'> {
  readonly fromIds: readonly string[]
  readonly intoId: string
}

const requireMergeable = async (db: WriteDb, { fromIds, intoId, by, now }: BookMergeOptions): Promise<Merge> => {
  await lockBooks(db, [intoId, ...fromIds])
  const rows = new Map((await selectBooksToMerge(db, [intoId, ...fromIds])).map((row) => [row.id, row]))
  const [into, ...from] = [intoId, ...fromIds].flatMap((id) => rows.get(id) ?? [])
  if (!into || from.length < fromIds.length || [into, ...from].some(({ state }) => state !== 'present'))
    throw conflict('books_gone', 'Some of these books are gone by now.')
  if (from.some(({ library_id }) => library_id !== into.library_id))
    throw conflict('other_library', 'Books of different libraries cannot be merged: each library keeps its own.')
  await requireSameReaders(db, [into, ...from])
  return { id: newId(now.getTime()), from, into, by, now }
}

/** Nobody may lose what they have read to a book that they do not see, or see what was said of one they did not. */
const requireSameReaders = async (db: ReadDb, books: readonly BookToMerge[]): Promise<void> => {
  const tags = new Set(books.flatMap(({ tagIds }) => tagIds))
  const differing = [...tags].filter((tag) => !books.every(({ tagIds }) => tagIds.includes(tag)))
  const isTagged = (await selectGrantedTags(db, differing, ['allow', 'deny'])).length > 0
  const isRated =
    new Set(books.map(({ age_rating }) => age_rating)).size > 1 && (await selectAgeCeilings(db)).length > 0
  if (isTagged || isRated)
    throw conflict(
      'sight_differs',
      'Some people see one of these books and not the other, by its age rating or the sharing tags of its series. Make these the same first.',
    )
}

const carryOver = async (
  db: WriteDb,
  { id, from, into, by, now }: Merge,
  fromIds: string[],
): Promise<MergeRecord[]> => {
  for (const fromId of fromIds) await moveHistory(db, fromId, into.id, id)
  const rows = await carryRowsOver(db, 'book', { fromIds, intoId: into.id, now })
  const covers = await carryCoversOver(db, 'book', { from, into }, now)
  const historyId = await carryWordsOver(db, fromIds, into.id, { by, now })
  const [after] = await selectBooksToMerge(db, [into.id])
  return [
    ...rows,
    ...recordsOf('covers', [covers]),
    ...recordsOf('words', historyId === undefined ? [] : [historyId]),
    ...recordsOf('age_rating', [after?.own_age_rating ?? null]),
  ]
}

const refreshMerged = async (db: WriteDb, { from, into, now }: Merge): Promise<void> => {
  const seriesIds = [...new Set([into, ...from].map(({ series_id }) => series_id))]
  const refreshed = await refresh(db, { series: seriesIds }, now)
  await noteLists(db, { bookIds: from.map((book) => book.id), seriesIds: [] }, now)
  await announceBooks(db, 'book_updated', [into.id], now)
  await announceRefreshed(db, refreshed, now)
  await announceDuplicates(db, [into.library_id], now)
}
