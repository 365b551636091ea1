import type { UndoneSeriesMerge } from '@carrel/api'
import type { Database, WriteDb } from '../../database/database.ts'
import { announce } from '../../events/outbox.ts'
import { conflict } from '../../platform/errors.ts'
import {
  areKeysTaken,
  deleteMergedKeys,
  deleteOverrides,
  lockForMerge,
  moveBooksBack,
  refresh,
  replaceTags,
  restoreSeries,
  returnKeys,
  selectExistingTags,
  selectForMerge,
  type selectKeysOfParts,
  type SeriesToMerge,
  type selectWhole,
  updateCommunityRatings,
} from '../../catalogue/shown/shown.ts'
import type { GroupedSeries } from '../../naming/grouping/grouping-policy.ts'
import { type CarriedCovers, giveCoversBack } from '../covers/covers.ts'
import { announceDuplicates, findDuplicatesIn } from '../duplicates/duplicates.ts'
import { editMany, undoMergedWords } from '../editing/editing.ts'
import { newId } from '../../platform/ids.ts'
import { type AllOf, insertAllOf, readChange, setUndoneBy, storeChanges } from '../../catalogue/metadata/metadata.ts'
import { visibleSeriesIds } from '../../catalogue/entries/entries.ts'
import { announceBooks, announceSeries, type Viewer } from '../../catalogue/visibility/visibility.ts'
import { returnRows, readMergeRecords } from './merge-records.ts'
import { announcementsOfMerge, type TagsOf } from './merge-series.ts'
import { openMerge } from './merges.ts'
import { type MergeRow, selectBooksOf, selectNewerBooks } from './queries.ts'
import { followFolders, joinInFolders, keepApart } from './shared-folders.ts'

type SeriesRow = Awaited<ReturnType<typeof selectWhole>>[number]
type KeyRow = Awaited<ReturnType<typeof selectKeysOfParts>>[number]
type MergeRecords = Awaited<ReturnType<typeof readMergeRecords>>

interface SeriesUndo {
  readonly merge: MergeRow
  readonly fromIds: readonly string[]
  readonly records: MergeRecords
  /** The one that stayed, as it is before anything is taken back. */
  readonly into: SeriesToMerge
  readonly by: string | null
  readonly now: Date
  readonly force: boolean
}

/** Above this many books clients hear of the series alone, and new ones wait until a scan comes by. */
const booksMax = 500

/**
 * Series that had become part of another one are there again, with their ids, their books and with what people had on
 * them. What has been done with the one that stayed since then stays with it.
 */
export const undoMergeOfSeries = (db: Database, viewer: Viewer, id: string, now: Date): Promise<UndoneSeriesMerge> =>
  db.write(async (db) => {
    const { undone } = await undoSeriesMergeWithin(db, viewer, { id, force: false, now })
    return undone
  })

/** The same in a transaction of the caller's, with the fields that have changed again since and stay, unless they are forced. */
export const undoSeriesMergeWithin = async (
  db: WriteDb,
  viewer: Viewer,
  { id, force, now }: { readonly id: string; readonly force: boolean; readonly now: Date },
): Promise<{ readonly undone: UndoneSeriesMerge; readonly conflicts: readonly string[] }> => {
  const merge = await openMerge(db, viewer, { entity: 'series', id }, now)
  const { fromIds, movedBooks, conflicts } = await restoreMergedSeries(db, merge, { by: viewer.userId, now, force })
  const seen = await visibleSeriesIds(db, viewer, fromIds)
  const restoredIds = fromIds.filter((each) => seen.has(each))
  return { undone: { seriesId: merge.into_id, restoredIds, movedBooks }, conflicts }
}

interface RestoreOptions extends Pick<SeriesUndo, 'by' | 'now'> {
  /** Also what has been said otherwise since. */
  readonly force?: boolean
  /**
   * A scan has found the folder of the one series that comes back here, and puts the books in their places itself. Nowhere:
   * it becomes part of another one at once.
   */
  readonly goesTo?: GroupedSeries | 'nowhere'
}

interface RestoredSeries {
  readonly fromIds: readonly string[]
  readonly movedBooks: number
  /** These fields have been given other values since, and stay. */
  readonly conflicts: readonly string[]
}

/** The caller has just marked this merge as taken back. */
export const restoreMergedSeries = async (
  db: WriteDb,
  merge: MergeRow,
  { by, goesTo, now, force = false }: RestoreOptions,
): Promise<RestoredSeries> => {
  const { id } = merge
  await lockForMerge(db, [merge.into_id])
  const [into] = await selectForMerge(db, [merge.into_id])
  const records = await readMergeRecords(db, id)
  const earlier = records<SeriesRow>('series')
  const rows = goesTo === undefined ? earlier : earlier.map((row) => ({ ...row, ...movedTo(goesTo, now) }))
  if (!into || (await areKeysTaken(db, rows)))
    throw conflict('place_taken', 'Another series has come in the place of one of these, so that it cannot come back.')
  const fromIds = rows.map((row) => row.id)
  const undoing = { merge, fromIds, records, into, by, now, force }
  await restoreSeries(db, rows)
  for (const stored of records<AllOf>('said')) await insertAllOf(db, stored)
  await returnKeys(db, { intoId: into.id, fromIds, earlier: records<KeyRow>('key') })
  if (goesTo !== undefined)
    await deleteMergedKeys(db, into.library_id, { keys: [...earlier, ...rows].map(({ key }) => key) })
  await deleteOverrides(db, records<string>('pinned'))
  const movedBooks = await moveBooksBack(db, { mergeId: id, intoSeriesId: into.id, at: now.toISOString() })
  const all = [into.id, ...fromIds]
  if (goesTo === undefined) await followFolders(db, into.library_id, new Map(fromIds.map((each) => [each, []])))
  await refresh(db, { series: all, isEdit: true }, now)
  const conflicts = await returnRecords(db, undoing)
  const newer = goesTo !== undefined ? [] : await selectNewerBooks(db, merge, booksMax)
  await refresh(db, { books: newer, seriesWithBooks: all, isEdit: true }, now)
  await updateCommunityRatings(db, all)
  await announceUndo(db, undoing)
  if (goesTo === undefined) await settleInFolders(db, undoing)
  return { fromIds, movedBooks, conflicts }
}

/** They stay apart from the one that they were part of, wherever they lie; with another one that lies where they do they are one. */
const settleInFolders = async (db: WriteDb, { fromIds, into, by, now }: SeriesUndo): Promise<void> => {
  const { id: intoId, library_id: libraryId } = into
  if (by !== null) await keepApart(db, { libraryId, seriesIds: [intoId, ...fromIds], by, now })
  await joinInFolders(db, libraryId, fromIds, now)
}

/** No grouping knows the key of a series that is nowhere. */
const movedTo = (target: GroupedSeries | 'nowhere', now: Date): Partial<Pick<SeriesRow, 'key' | 'name' | 'path'>> =>
  target === 'nowhere'
    ? { key: `//${newId(now.getTime())}` }
    : { key: target.key, name: target.title, path: target.path }

const returnRecords = async (
  db: WriteDb,
  { fromIds, records, into, by, now, force }: SeriesUndo,
): Promise<readonly string[]> => {
  await returnRows(db, 'series', { records, intoId: into.id, now })
  for (const carried of records<CarriedCovers>('covers'))
    await giveCoversBack(db, 'series', { carried, intoId: into.id, fromIds }, now)
  const [after] = records<{ tagIds: readonly string[]; ownAgeRating: number | null }>('after')
  await giveTagsBack(db, records<TagsOf>('tags'), { after: after?.tagIds ?? [], now: into.tagIds })
  const ageRating = into.own_age_rating
  if (!force && ageRating !== null && ageRating !== after?.ownAgeRating)
    await rateNoLower(db, fromIds, ageRating, { by, now })
  const conflicts: string[] = []
  for (const historyId of records<string>('words'))
    conflicts.push(...(await undoMergedWords(db, { entity: 'series', id: into.id, historyId, force }, { by, now })))
  for (const historyId of records<string>('line')) await noteUndone(db, { historyId, entityId: into.id, by }, now)
  return conflicts
}

/** Whoever has rated the one that stayed higher meant the others too, which were part of it. */
const rateNoLower = async (
  db: WriteDb,
  seriesIds: readonly string[],
  ageRating: number,
  { by, now }: Pick<SeriesUndo, 'by' | 'now'>,
): Promise<void> => {
  const lower = (await selectForMerge(db, seriesIds)).filter(({ age_rating }) => (age_rating ?? -1) < ageRating)
  const ids = lower.map(({ id }) => id)
  await editMany(db, { entity: 'series', ids, patch: { ageRating } }, { by, now, reason: 'undo' })
}

/** Where the merge has taken over no words, its line of the history tells of nothing but the merge. */
const noteUndone = async (
  db: WriteDb,
  { historyId, entityId, by }: { readonly historyId: string; readonly entityId: string; readonly by: string | null },
  now: Date,
): Promise<void> => {
  const change = await readChange(db, entityId, historyId)
  if (!change) return
  const undoneBy = newId(now.getTime())
  await storeChanges(db, [
    { id: undoneBy, entityId, at: now.toISOString(), by, source: 'user', reason: 'undo', changes: [], words: {} },
  ])
  await setUndoneBy(db, [{ change, undoneBy }])
}

/** Each has its own tags again; those given or taken since count for all that was part of the one that stayed. */
const giveTagsBack = async (
  db: WriteDb,
  before: readonly TagsOf[],
  since: { readonly after: readonly string[]; readonly now: readonly string[] },
): Promise<void> => {
  const given = since.now.filter((tag) => !since.after.includes(tag))
  const taken = since.after.filter((tag) => !since.now.includes(tag))
  const there = await selectExistingTags(db, [...new Set([...given, ...before.flatMap(({ tagIds }) => tagIds)])])
  for (const { id, tagIds } of before) {
    const tags = new Set([...tagIds, ...given].filter((tag) => there.has(tag) && !taken.includes(tag)))
    await replaceTags(db, id, [...tags])
  }
}

const announceUndo = async (db: WriteDb, { fromIds, into, now }: SeriesUndo): Promise<void> => {
  const [after] = await selectForMerge(db, [into.id])
  if (!after) return
  const libraryId = into.library_id
  await announce(db, announcementsOfMerge(into, after), now)
  await announceSeries(db, 'series_created', fromIds, now)
  const books = await selectBooksOf(db, fromIds, booksMax + 1)
  if (books.length <= booksMax) await announceBooks(db, 'book_updated', books, now)
  await announceDuplicates(db, [libraryId], now)
  await findDuplicatesIn(db, libraryId, now)
}
