import type { CompatBook, CompatSeries } from '@carrel/api/doors'
import type { SeriesSort } from '@carrel/api'
import { listBookDuplicates } from '../../../features/duplicates/duplicates.ts'
import { selectOnDeck } from '../../../features/home/home.ts'
import { seriesLettersOf } from '../../../catalogue/lists/lists.ts'
import { amongLibraries } from '../../../catalogue/visibility/visibility.ts'
import { bookOptions, idsIn, type Parameters, seriesOptions } from '../conditions/parameters.ts'
import { splitOff, type CompatCondition } from '../conditions/list-options.ts'
import type { CompatRecords } from '../records/records.ts'
import type { CompatViewer } from '../records/series-record.ts'
import { type CompatSeriesQuery, seriesHolding, type Source, openCompatBooks, openCompatSeries } from './lists.ts'
import type { Shown } from './pages.ts'

const sorts = {
  new: 'createdAt,desc',
  updated: 'updatedAt,desc',
  latest: 'updatedAt,desc',
} as const satisfies Record<string, SeriesSort>

/** `updated`: what has changed since it was added. */
export const seriesShelf = (
  source: Source,
  compatViewer: CompatViewer,
  query: Parameters,
  shelf: keyof typeof sorts,
): Promise<Shown<CompatSeries>> => {
  const changed: readonly CompatCondition[] = shelf === 'updated' ? [{ changed: true }] : []
  const options = { allOf: [seriesOptions(query), ...changed] }
  return openCompatSeries(source, compatViewer, { options, sort: sorts[shelf], isSorted: true })
}

export const latestBooks = (
  source: Source,
  compatViewer: CompatViewer,
  query: Parameters,
): Promise<Shown<CompatBook>> =>
  openCompatBooks(source, compatViewer, { options: bookOptions(query), sort: 'updatedAt,desc', isSorted: true })

/** Nobody looks further. */
const onDeckMax = 1000

export const onDeck = async (
  { db, records }: Source,
  compatViewer: CompatViewer,
  query: Parameters,
): Promise<Shown<CompatBook>> => {
  const libraries = idsIn(query, 'library_id')
  const viewer = libraries.length === 0 ? compatViewer.viewer : amongLibraries(compatViewer.viewer, libraries)
  return ofIds(records, compatViewer, await selectOnDeck(db.readSlowly, viewer, onDeckMax))
}

/** The answer holds at most this many groups. */
const duplicateGroupsMax = 500

export const duplicateBooks = async (
  { db, records }: Source,
  compatViewer: CompatViewer,
): Promise<Shown<CompatBook>> => {
  const groups = { matchType: 'file', page: 1, pageSize: duplicateGroupsMax } as const
  const { duplicates } = await listBookDuplicates(db, compatViewer.viewer, groups)
  return ofIds(records, compatViewer, [...new Set(duplicates.flatMap(({ bookIds }) => bookIds))])
}

const ofIds = (records: CompatRecords, compatViewer: CompatViewer, ids: readonly string[]): Shown<CompatBook> => ({
  total: ids.length,
  isSorted: false,
  items: ({ offset, limit }) => records.books(compatViewer, ids.slice(offset, offset + limit)),
})

/** The applications write letters in lower case. */
export const countLetters = async (
  source: Source,
  compatViewer: CompatViewer,
  { options, fullTextSearch }: CompatSeriesQuery,
): Promise<{ group: string; count: number }[]> => {
  const { value: libraryId, rest } = splitOff(options, 'libraryId')
  const { letters } = await seriesLettersOf(
    source,
    compatViewer.viewer,
    { libraryId, fullTextSearch, holds: await seriesHolding(source, compatViewer, rest) },
    1,
  )
  return letters.map(({ letter, count }) => ({ group: letter.toLowerCase(), count }))
}
