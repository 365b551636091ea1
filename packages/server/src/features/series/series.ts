import type { SeriesDetail, SeriesDto, SeriesSharingTags } from '@carrel/api'
import { listsOfSeries as pagesOfSeries } from '../../catalogue/lists/lists.ts'
import type { SearchSource } from '../../catalogue/search-index/search-index.ts'
import type { Database, ReadDb, WriteDb } from '../../database/database.ts'
import { announce } from '../../events/outbox.ts'
import { invalid, notFound } from '../../platform/errors.ts'
import { externalIdsIn, metadataOfSeries } from '../../catalogue/metadata/metadata.ts'
import { readThroughsOfSeries } from '../reading/reading.ts'
import { announcementsOfChange, type Viewer } from '../../catalogue/visibility/visibility.ts'
import { replaceTags, selectExistingTags } from '../../catalogue/shown/shown.ts'
import { selectLabels, selectSeriesByIds, selectTagsOfSeries, selectYears } from './queries.ts'
import { requireSeries } from '../../catalogue/entries/entries.ts'
import { showCovers, showSeries } from './show.ts'

export { gapsOfSeries } from './gaps.ts'
export { showSeries } from './show.ts'

export const listsOfSeries = (source: SearchSource) => pagesOfSeries(source, showSeries)

/** It leaves out what this viewer does not see in lists, and keeps the order of the ids. */
export const showSeriesById = async (db: ReadDb, viewer: Viewer, ids: readonly string[]): Promise<SeriesDto[]> =>
  showSeries(db, viewer, await selectSeriesByIds(db, viewer, ids))

/** The same of their covers alone. */
export const showCoversById = async (db: ReadDb, viewer: Viewer, ids: readonly string[]) =>
  showCovers(db, viewer, await selectSeriesByIds(db, viewer, ids))

export const readSeries = async (db: ReadDb, viewer: Viewer, id: string): Promise<SeriesDetail> => {
  const row = await requireSeries(db, viewer, id)
  const [series] = await showSeries(db, viewer, [row])
  if (!series) throw notFound('series')
  const metadata = metadataOfSeries(row)
  const { externalLinks, externalRatings } = metadata
  const external = { externalIds: externalIdsIn(row.metadata), externalLinks, externalRatings }
  const years = await selectYears(db, viewer, id)
  return { ...series, metadata, ...external, ...years, ...(await readThroughsOfSeries(db, viewer, id)) }
}

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
    if (missing >= 0)
      throw invalid(`/tagIds/${missing}`, `There is no sharing tag ${tagIds[missing]}.`, { reason: 'gone_by_now' })
    const after = [...tagIds].sort()
    if (after.join() === before.tagIds.toSorted().join()) return before
    await replaceTags(db, id, after)
    await announceOtherTags(db, id, { before: before.tagIds, after }, now)
    return tagsOf(db, id)
  })

/** In the transaction of whoever brings them: nothing is taken away. It returns those that a series did not have. */
export const addTags = async (
  db: WriteDb,
  seriesId: string,
  tagIds: readonly string[],
  now: Date,
): Promise<readonly string[]> => {
  const before = (await selectTagsOfSeries(db, seriesId)).map(({ id }) => id)
  const added = tagIds.filter((id) => !before.includes(id))
  if (added.length === 0) return []
  await replaceTags(db, seriesId, [...before, ...added].sort())
  await announceOtherTags(db, seriesId, { before, after: [...before, ...added] }, now)
  return added
}

export const dropTags = async (db: WriteDb, seriesId: string, tagIds: readonly string[], now: Date): Promise<void> => {
  const before = (await selectTagsOfSeries(db, seriesId)).map(({ id }) => id)
  const after = before.filter((id) => !tagIds.includes(id))
  if (after.length === before.length) return
  await replaceTags(db, seriesId, after.sort())
  await announceOtherTags(db, seriesId, { before, after }, now)
}

const announceOtherTags = async (
  db: WriteDb,
  seriesId: string,
  { before, after }: { before: readonly string[]; after: readonly string[] },
  now: Date,
): Promise<void> => {
  const labels = await selectLabels(db, seriesId)
  if (!labels) return
  const { libraryId, ageRating } = labels
  const audienceOf = (sharingTags: readonly string[]) => ({ libraryId, content: { ageRating, sharingTags } })
  const events = {
    updated: { type: 'series_updated', seriesId, libraryId },
    deleted: { type: 'series_deleted', seriesId, libraryId },
    created: { type: 'series_created', seriesId, libraryId },
  } as const
  await announce(db, announcementsOfChange(events, { before: audienceOf(before), after: audienceOf(after) }), now)
}
