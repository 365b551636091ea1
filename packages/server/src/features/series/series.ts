import type { ListAnswer, SeriesDetail, SeriesDto, SeriesSharingTags } from '@carrel/api'
import type { Database, ReadDb, WriteDb } from '../../database/database.ts'
import { announce } from '../../events/outbox.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import { orderOf, type Paging, type Sort } from '../../platform/paging.ts'
import { deleteLayersOf, externalIdsIn, metadataOfSeries } from '../metadata/metadata.ts'
import { unreadCounts } from '../reading/reading.ts'
import { seesWholeLibraries, seesWholeSeries, type Viewer } from '../visibility/visibility.ts'
import {
  countSeries,
  countVisibleBooks,
  deleteSeries,
  type ListedSeries,
  replaceTags,
  selectExistingTags,
  selectLabels,
  selectManySeries,
  selectSeries,
  selectSeriesIds,
  selectShownSeriesIds,
  selectSurroundings,
  selectTagsOfSeries,
  type SeriesFigures,
  type SeriesOrder,
  type SeriesSurroundings,
  updateEmpty,
} from './queries.ts'

export { renewCoversOfFirstBooks, setSeriesCover, setSeriesLocks } from './queries.ts'
export {
  deleteMerged,
  insertMerges,
  insertRenames,
  insertSharingTags,
  lockForMerge,
  type Rename,
  selectForMerge,
  selectKnownKeys,
  selectMergeTargets,
  type SeriesToMerge,
  updateCommunityRating,
} from './merges/queries.ts'
export { keepSeries, type RefreshedSeries, refreshSeries } from './record.ts'

/** Skipping more rows than this takes longer than a request may hold the thread. */
const quickRowsMax = 1000

export const listSeries = async (
  db: Database,
  viewer: Viewer,
  { libraryId, sort }: { libraryId?: string | undefined; sort?: Sort<SeriesOrder['field']> | undefined },
  paging: Paging,
): Promise<ListAnswer<SeriesDto>> => {
  const isQuick = seesWholeLibraries(viewer) && paging.offset + paging.limit <= quickRowsMax
  const reader = isQuick ? db.read : db.readSlowly
  const total = await countSeries(reader, viewer, libraryId)
  if (paging.offset >= total) return { total, data: [] }
  const rows = await selectManySeries(reader, viewer, libraryId, { order: orderOf(sort, 'name'), paging })
  return { total, data: await showSeries(reader, viewer, rows) }
}

export const readSeries = async (db: ReadDb, viewer: Viewer, id: string): Promise<SeriesDetail> => {
  const row = await requireSeries(db, viewer, id)
  const [series] = await showSeries(db, viewer, [row])
  if (!series) throw notFound('series')
  const metadata = metadataOfSeries(row)
  const { externalLinks, externalRatings } = metadata
  return { ...series, metadata, externalIds: externalIdsIn(row.metadata), externalLinks, externalRatings }
}

/** One that this viewer may see. */
export const requireSeries = async (db: ReadDb, viewer: Viewer, id: string) => {
  const row = await selectSeries(db, viewer, id)
  if (!row) throw notFound('series')
  return row
}

/** In the order they are given in, and as this viewer sees them. */
const showSeries = async (db: ReadDb, viewer: Viewer, rows: readonly ListedSeries[]): Promise<SeriesDto[]> => {
  const ids = rows.map(({ id }) => id)
  const around = await selectSurroundings(db, viewer, ids)
  const visible = seesWholeSeries(viewer) ? undefined : await countVisibleBooks(db, viewer, ids)
  const read = await unreadCounts(db, viewer, ids)
  return rows.flatMap((row) => {
    const surroundings = around.get(row.id)
    // Forgotten between two statements.
    if (!surroundings) return []
    const shown = toSeries(row, surroundings, visible ? (visible.get(row.id) ?? noBooks) : row, viewer)
    return [{ ...shown, unreadCount: Math.max(0, shown.bookCount - (read.get(row.id)?.read ?? 0)) }]
  })
}

const noBooks: SeriesFigures = { book_count: 0, max_volume: null, max_chapter: null, volumes_owned: 0 }

const toSeries = (
  row: ListedSeries,
  around: SeriesSurroundings,
  figures: SeriesFigures,
  { seesPaths }: Viewer,
): Omit<SeriesDto, 'unreadCount'> => ({
  id: row.id,
  libraryId: row.library_id,
  libraryName: around.library_name ?? '',
  title: row.title,
  titleSort: row.title_sort,
  summary: row.summary,
  publisher: row.publisher,
  year: row.year,
  ...(seesPaths && { path: row.path }),
  bookCount: figures.book_count,
  localMaxVolume: figures.max_volume,
  localMaxChapter: figures.max_chapter,
  volumesOwned: figures.volumes_owned,
  hasCustomCover: around.cover_source === 'upload',
  selectedCoverSource: around.cover_source,
  coverVersion: coverVersionOf(row, around),
  placeholder: around.cover_source === null ? around.first_placeholder : around.cover_placeholder,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** Another one for another cover, be it its own or that of the first book this viewer sees. */
const coverVersionOf = (
  { cover_version }: Pick<ListedSeries, 'cover_version'>,
  { cover_source, first_id, first_cover_version }: SeriesSurroundings,
): string =>
  cover_source !== null || first_id === null
    ? String(cover_version)
    : `${cover_version}-${first_cover_version}-${first_id.slice(-8)}`

// Sharing tags

export const readTags = async (db: ReadDb, viewer: Viewer, id: string): Promise<SeriesSharingTags> => {
  await requireSeries(db, viewer, id)
  return tagsOf(db, id)
}

const tagsOf = async (db: ReadDb, id: string): Promise<SeriesSharingTags> => {
  const sharingTags = await selectTagsOfSeries(db, id)
  return { tagIds: sharingTags.map((tag) => tag.id), sharingTags }
}

/** Whoever loses sight of the series hears that it is gone, whoever gains it that it is there (pins W8). */
export const saveTags = (
  db: Database,
  viewer: Viewer,
  id: string,
  {
    tagIds,
    now,
    expectMatch,
  }: { tagIds: readonly string[]; now: Date; expectMatch: (tags: SeriesSharingTags) => void },
): Promise<SeriesSharingTags> =>
  db.write(async (db) => {
    const before = await readTags(db, viewer, id)
    expectMatch(before)
    const existing = await selectExistingTags(db, tagIds)
    const missing = tagIds.findIndex((tagId) => !existing.has(tagId))
    if (missing >= 0) throw invalid(`/tagIds/${missing}`, `There is no sharing tag ${tagIds[missing]}.`)
    const after = [...tagIds].sort()
    if (after.join() === before.tagIds.toSorted().join()) return before
    await replaceTags(db, id, after)
    await announceOtherTags(db, id, { before: before.tagIds, after }, now)
    return tagsOf(db, id)
  })

const announceOtherTags = async (
  db: WriteDb,
  seriesId: string,
  { before, after }: { before: readonly string[]; after: readonly string[] },
  now: Date,
): Promise<void> => {
  const labels = await selectLabels(db, seriesId)
  if (!labels) return
  const { libraryId, ageRating } = labels
  const to = (sharingTags: readonly string[]) => ({ libraryId, content: { ageRating, sharingTags } })
  await announce(
    db,
    [
      { fact: { type: 'series_deleted', seriesId, libraryId }, to: to(before) },
      { fact: { type: 'series_created', seriesId, libraryId }, to: to(after) },
    ],
    now,
  )
}

// Libraries that go

export const emptySeries = async (db: WriteDb, libraryId: string, limit: number): Promise<number> => {
  const ids = await selectShownSeriesIds(db, libraryId, limit)
  if (ids.length > 0) await updateEmpty(db, ids)
  return ids.length
}

/** For ever; their books are gone. Each feature that keeps something of series by their id alone is called here. */
export const forgetSeries = async (db: WriteDb, libraryId: string, limit: number): Promise<number> => {
  const ids = await selectSeriesIds(db, libraryId, limit)
  if (ids.length > 0) {
    await deleteLayersOf(db, ids)
    await deleteSeries(db, ids)
  }
  return ids.length
}
