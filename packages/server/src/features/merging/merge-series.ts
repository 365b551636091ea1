import { duplicateMembersMax, type MergedSeries } from '@carrel/api'
import type { Database, ReadDb, WriteDb } from '../../database/database.ts'
import { type Announcement, announce } from '../../events/outbox.ts'
import { conflict, invalid } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import {
  insertMerges,
  insertOverrides,
  insertSharingTags,
  lockForMerge,
  moveBooks,
  refresh,
  removeSeries,
  safeTags,
  selectForMerge,
  selectKeysOfParts,
  selectWhole,
  type SeriesToMerge,
  updateCommunityRatings,
} from '../../catalogue/shown/shown.ts'
import { carryCoversOver } from '../covers/covers.ts'
import { requireMembers } from '../duplicates/duplicates.ts'
import { carryMetadataOver, readShown, selectAllOf, storeChanges } from '../../catalogue/metadata/metadata.ts'
import {
  announceBooks,
  hiddenAbove,
  announcementsOfChange,
  readRestrictions,
  type Viewer,
} from '../../catalogue/visibility/visibility.ts'
import { carryRowsOver, saveMergeRecords, type MergeRecord, recordsOf } from './merge-records.ts'
import { insertActs } from './moves/queries.ts'
import { requireSameAudience } from './same-audience.ts'
import { insertMergeRows, insertMovedBooks, selectBooksOf, selectRatingsIn, selectWithoutOverride } from './queries.ts'

interface SeriesMergeRequest {
  readonly groupId: string
  readonly into: string
  /** Absent: all other members of the group. */
  readonly series?: readonly string[] | undefined
  readonly now: Date
}

interface Merge {
  readonly id: string
  readonly from: readonly SeriesToMerge[]
  readonly into: SeriesToMerge
  /** Null: nobody has asked for it; the folders of the series have become one. */
  readonly by: string | null
  /** What the one that stays is rated, and which tags come to it. */
  readonly carried: Carried
  readonly now: Date
}

interface Carried {
  readonly ageRating: number | null
  readonly tagIds: readonly string[]
}

/** What hides a series, or shows it. */
export interface TagsOf {
  readonly id: string
  readonly tagIds: readonly string[]
}

/** Above this many moved books clients hear of the series alone. */
const toldSingly = 500

/** All of it or nothing: at no moment is anything in two series, or in none. */
export const mergeSeries = (db: Database, viewer: Viewer, options: SeriesMergeRequest): Promise<MergedSeries> =>
  db.write(async (db) => {
    const fromIds = await chosen(db, viewer, options)
    const { id, movedBooks } = await mergeInto(db, viewer, { ...options, fromIds })
    return { mergeId: id, seriesId: options.into, mergedIds: [...fromIds], movedBooks }
  })

interface SeriesMergeOptions {
  readonly fromIds: readonly string[]
  /** All of its books stay in it from now on, wherever they lie and however the library is grouped. */
  readonly keepsBooks?: boolean
  readonly into: string
  readonly now: Date
}

export interface DoneMerge extends Merge {
  readonly movedBooks: number
  /** The line of the history of the one that stays. */
  readonly historyId: string
}

/** In a transaction of the caller's, who has seen to it that the viewer sees all of them. */
export const mergeInto = async (
  db: WriteDb,
  viewer: Pick<Viewer, 'userId'> | null,
  options: SeriesMergeOptions,
): Promise<DoneMerge> => {
  const { fromIds, now } = options
  await lockForMerge(db, [options.into, ...fromIds])
  const merge = await requireMergeable(db, options, viewer)
  const { id, into, by } = merge
  const at = now.toISOString()
  await insertMergeRows(db, [
    {
      id,
      entity: 'series',
      library_id: into.library_id,
      into_id: into.id,
      at,
      by_user_id: by,
      undone_at: null,
    },
  ])
  const asTheyWere = await recordsOfSeries(db, merge, fromIds)
  const moved = await selectBooksOf(db, fromIds, toldSingly + 1)
  await insertMovedBooks(db, id, fromIds)
  const movedBooks = await moveBooks(db, fromIds, into.id, at)
  await insertMerges(db, { ...merge, at })
  await insertSharingTags(db, into.id, merge.carried.tagIds)
  const carried = await carryOver(db, merge, fromIds)
  await updateCommunityRatings(db, [into.id])
  const pinned = options.keepsBooks === true ? await pinBooks(db, merge) : []
  await saveMergeRecords(db, id, [...asTheyWere, ...recordsOf('pinned', pinned), ...carried.records])
  await insertActs(db, [carried.historyId], { mergeId: id })
  await removeSeries(db, fromIds, now)
  await announceMerge(db, merge, moved.length > toldSingly ? [] : moved)
  return { ...merge, movedBooks, historyId: carried.historyId }
}

const pinBooks = async (db: WriteDb, { into, by, now }: Merge): Promise<readonly string[]> => {
  const rows = (await selectWithoutOverride(db, into.id)).map((book_id) => ({
    id: newId(now.getTime()),
    library_id: into.library_id,
    book_id,
    folder: null,
    folder_before: null,
    series_id: into.id,
    through_id: null,
    at: now.toISOString(),
    by_user_id: by,
  }))
  await insertOverrides(db, rows)
  return rows.map(({ id }) => id)
}

const recordsOfSeries = async (
  db: ReadDb,
  { from, into }: Merge,
  fromIds: readonly string[],
): Promise<MergeRecord[]> => [
  ...recordsOf('series', await selectWhole(db, fromIds)),
  ...recordsOf('said', [await selectAllOf(db, fromIds)]),
  ...recordsOf('key', await selectKeysOfParts(db, fromIds)),
  ...recordsOf(
    'tags',
    [into, ...from].map(({ id, tagIds }): TagsOf => ({ id, tagIds })),
  ),
]

const carryOver = async (
  db: WriteDb,
  merge: Merge,
  fromIds: readonly string[],
): Promise<{ readonly records: MergeRecord[]; readonly historyId: string }> => {
  const { from, into, now } = merge
  const rows = await carryRowsOver(db, 'series', { fromIds, intoId: into.id, now })
  const covers = await carryCoversOver(db, 'series', { from, into }, now)
  const words = await describe(db, merge)
  const historyId = words ?? (await writeLine(db, merge))
  const [after] = await selectForMerge(db, [into.id])
  const records = [
    ...rows,
    ...recordsOf('covers', [covers]),
    ...recordsOf(words === undefined ? 'line' : 'words', [historyId]),
    ...recordsOf('after', after ? [{ tagIds: after.tagIds, ownAgeRating: after.own_age_rating }] : []),
  ]
  return { records, historyId }
}

/** Whether it takes over any words or not, the history tells of it. */
const writeLine = async (db: WriteDb, { into, by, now }: Merge): Promise<string> => {
  const id = newId(now.getTime())
  const at = now.toISOString()
  await storeChanges(db, [{ id, entityId: into.id, at, by, source: 'user', reason: 'merge', changes: [], words: {} }])
  return id
}

const chosen = async (db: ReadDb, viewer: Viewer, { groupId, into, series }: SeriesMergeRequest): Promise<string[]> => {
  const members = await requireMembers(db, viewer, 'series', groupId)
  if (!members.includes(into)) throw invalid('/into', 'The series that stays must be one of the group.')
  const others = members.filter((id) => id !== into)
  const strange = series?.findIndex((id) => !others.includes(id)) ?? -1
  if (strange >= 0) throw invalid(`/series/${strange}`, 'Only other series of the group can be merged.')
  const fromIds = [...(series ?? others)]
  if (fromIds.length > duplicateMembersMax)
    throw invalid('/series', `More than ${duplicateMembersMax} series cannot be merged at once. Say which.`)
  return fromIds
}

const requireMergeable = async (
  db: ReadDb,
  { into: intoId, fromIds, now }: SeriesMergeOptions,
  viewer: Pick<Viewer, 'userId'> | null,
): Promise<Merge> => {
  const rows = new Map((await selectForMerge(db, [intoId, ...fromIds])).map((row) => [row.id, row]))
  const [into, ...from] = [intoId, ...fromIds].flatMap((id) => rows.get(id) ?? [])
  if (!into || from.length < fromIds.length) throw conflict('series_gone', 'Some of these series are gone by now.')
  if (from.some(({ library_id }) => library_id !== into.library_id))
    throw conflict('other_library', 'Series of different libraries cannot be merged: each library keeps its own.')
  const carried = await (viewer ? requireCarried : findCarried)(db, { into, from })
  return { id: newId(now.getTime()), from, into, by: viewer?.userId ?? null, carried, now }
}

type Merged = Pick<Merge, 'into' | 'from'>

/** What people make one series of may show nobody anything that they did not see before (W9). */
const requireCarried = async (db: ReadDb, { into, from }: Merged): Promise<Carried> => {
  const series = [into, ...from]
  const highest = highestRating(series)
  const ratings = await selectRatingsIn(
    db,
    series.map(({ id }) => id),
  )
  const all = series.map(({ id, tagIds, age_rating }) => ({ tagIds, ratings: [age_rating, ...ratings(id)] }))
  await requireSameAudience(db, into.library_id, { all, highest })
  return { ageRating: highest, tagIds: from.flatMap(({ tagIds }) => tagIds) }
}

/**
 * Series whose folders have become one are one (C23), which nobody can refuse: what would come into sight by it stays hidden.
 * Where some have no rating, all are rated above what those see who see nothing unrated; and a tag that only lets people in
 * does not come along.
 */
const findCarried = async (db: ReadDb, { into, from }: Merged): Promise<Carried> => {
  const highest = highestRating([into, ...from])
  const isPartlyRated = [into, ...from].some(({ age_rating }) => age_rating === null)
  const restrictions = highest !== null && isPartlyRated ? await readRestrictions(db, into.library_id) : []
  const tagIds = await safeTags(
    db,
    from.flatMap((each) => each.tagIds),
  )
  return { ageRating: highest === null ? null : (hiddenAbove(restrictions, highest) ?? highest), tagIds }
}

/**
 * What people have said of the series that stays is what they say of it, and where that was nothing, what they have said of the others.
 * It keeps its title; all else that books say is said by all of them together from now on (C20), and is nobody's word.
 */
const describe = async (db: WriteDb, { from, into, by, carried, now }: Merge): Promise<string | undefined> => {
  const before = await readShown(db, into.id)
  await refresh(db, { seriesWithBooks: [into.id], isEdit: true }, now)
  const after = await readShown(db, into.id)
  const isRenamed = before['title'] !== after['title']
  const { ageRating } = carried
  const pinned = {
    ...(isRenamed && { title: into.title }),
    ...(ageRating !== null && !isRatedSo([into, ...from], ageRating) && { ageRating }),
  }
  const fromIds = from.map(({ id }) => id)
  const shownBefore = { title: into.title, ...before }
  const historyId = await carryMetadataOver(db, { fromIds, intoId: into.id, shownBefore, pinned, by, now })
  await refresh(db, { wordsOfSeries: [into.id], isEdit: true }, now)
  return historyId
}

const highestRating = (series: readonly SeriesToMerge[]): number | null =>
  series.reduce<number | null>(
    (highest, { age_rating: rating }) => (rating === null ? highest : Math.max(rating, highest ?? 0)),
    null,
  )

/** Without anybody's word: none of them has a rating but by its books, or all have the same and nobody has said so of any. */
const isRatedSo = ([into, ...from]: readonly [SeriesToMerge, ...SeriesToMerge[]], highest: number): boolean =>
  (highestRating([into, ...from]) === highest &&
    [into, ...from].every(({ own_age_rating }) => own_age_rating === null)) ||
  ((into.said_age_rating === null ? into.own_age_rating : into.said_age_rating) === highest &&
    (into.said_age_rating === highest || from.every(({ said_age_rating }) => said_age_rating === null)))

const audienceOf = ({ library_id, age_rating, tagIds }: SeriesToMerge) => ({
  libraryId: library_id,
  content: { ageRating: age_rating, sharingTags: tagIds },
})

/** It returns the events about the series that stays, or stayed. */
export const announcementsOfMerge = (before: SeriesToMerge, after: SeriesToMerge): Announcement[] => {
  const about = { seriesId: after.id, libraryId: after.library_id }
  const events = {
    updated: { type: 'series_updated', ...about },
    deleted: { type: 'series_deleted', ...about },
    created: { type: 'series_created', ...about },
  } as const
  return announcementsOfChange(events, { before: audienceOf(before), after: audienceOf(after) })
}

const announceMerge = async (db: WriteDb, { from, into, now }: Merge, movedBooks: readonly string[]): Promise<void> => {
  const [after] = await selectForMerge(db, [into.id])
  if (!after) return
  const libraryId = into.library_id
  const seriesId = into.id
  // Nobody hears of one that they did not see.
  const mergedAlike = Map.groupBy(from, (each) => JSON.stringify(audienceOf(each)))
  await announce(
    db,
    [
      ...from.map((each): Announcement => ({
        event: { type: 'series_deleted', seriesId: each.id, libraryId },
        to: audienceOf(each),
      })),
      ...announcementsOfMerge(into, after),
      ...[...mergedAlike.values()].map((alike): Announcement => ({
        event: { type: 'series_merged', seriesId, libraryId, mergedIds: alike.map(({ id }) => id) },
        to: { ...audienceOf(after), audiences: [{ of: alike.slice(0, 1).map(audienceOf), isSeen: true }] },
      })),
    ],
    now,
  )
  await announceBooks(db, 'book_updated', movedBooks, now)
}
