import type { CompatBook, CompatSeries } from '@carrel/api/doors'
import type { SeriesSort } from '@carrel/api'
import { listBookDuplicates } from '../../../features/duplicates/duplicates.ts'
import { selectOnDeck } from '../../../features/home/home.ts'
import { seriesLettersOf } from '../../../catalogue/lists/lists.ts'
import { amongLibraries } from '../../../catalogue/visibility/visibility.ts'
import { bookWish, idsIn, type Parameters, seriesWish } from '../conditions/parameters.ts'
import { splitOff, type CompatCondition } from '../conditions/wish.ts'
import { showCompatBooks } from '../records/book-record.ts'
import type { Onlooker } from '../records/series-record.ts'
import { type SeriesWanted, seriesHolding, type Source, wantedBooks, wantedSeries } from './lists.ts'
import type { Shown } from './pages.ts'

const sorts = {
  new: 'createdAt,desc',
  updated: 'updatedAt,desc',
  latest: 'updatedAt,desc',
} as const satisfies Record<string, SeriesSort>

/** `updated`: what has changed since it was added. */
export const seriesShelf = (
  source: Source,
  onlooker: Onlooker,
  query: Parameters,
  shelf: keyof typeof sorts,
): Promise<Shown<CompatSeries>> => {
  const changed: readonly CompatCondition[] = shelf === 'updated' ? [{ changed: true }] : []
  const wish = { allOf: [seriesWish(query), ...changed] }
  return wantedSeries(source, onlooker, { wish, sort: sorts[shelf], isSorted: true })
}

export const latestBooks = (source: Source, onlooker: Onlooker, query: Parameters): Promise<Shown<CompatBook>> =>
  wantedBooks(source, onlooker, { wish: bookWish(query), sort: 'updatedAt,desc', isSorted: true })

/** Nobody looks further. */
const onDeckMax = 1000

export const onDeck = async ({ db }: Source, onlooker: Onlooker, query: Parameters): Promise<Shown<CompatBook>> => {
  const libraries = idsIn(query, 'library_id')
  const viewer = libraries.length === 0 ? onlooker.viewer : amongLibraries(onlooker.viewer, libraries)
  return ofIds(db, onlooker, await selectOnDeck(db.readSlowly, viewer, onDeckMax))
}

/** The answer holds at most this many groups. */
const duplicateGroupsMax = 500

export const duplicateBooks = async ({ db }: Source, onlooker: Onlooker): Promise<Shown<CompatBook>> => {
  const groups = { matchType: 'file', page: 1, pageSize: duplicateGroupsMax } as const
  const { duplicates } = await listBookDuplicates(db, onlooker.viewer, groups)
  return ofIds(db, onlooker, [...new Set(duplicates.flatMap(({ bookIds }) => bookIds))])
}

const ofIds = (db: Source['db'], onlooker: Onlooker, ids: readonly string[]): Shown<CompatBook> => ({
  total: ids.length,
  isSorted: false,
  items: ({ offset, limit }) => showCompatBooks(db.readSlowly, onlooker, ids.slice(offset, offset + limit)),
})

/** The applications write letters in lower case. */
export const countLetters = async (
  source: Source,
  onlooker: Onlooker,
  { wish, fullTextSearch }: SeriesWanted,
): Promise<{ group: string; count: number }[]> => {
  const { value: libraryId, rest } = splitOff(wish, 'libraryId')
  const { letters } = await seriesLettersOf(
    source,
    onlooker.viewer,
    { libraryId, fullTextSearch, holds: await seriesHolding(source, onlooker, rest) },
    1,
  )
  return letters.map(({ letter, count }) => ({ group: letter.toLowerCase(), count }))
}
