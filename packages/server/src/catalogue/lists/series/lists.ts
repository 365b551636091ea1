import { seriesOrders, type SeriesSort } from '@carrel/api'
import type { ReadDb } from '../../../database/database.ts'
import { narrow } from '../../../filtering/filtering.ts'
import { type SearchSource, textMatch } from '../../search-index/search-index.ts'
import { seesEverything, seesWholeLibraries, type Viewer } from '../../visibility/visibility.ts'
import { keptIdsMax, listsOf, type ListOptions } from '../pages.ts'
import { countByTerm, type Counted, isFiltered, type Selection, selectStoredCounts } from '../queries.ts'
import { absentSeries, isInOrder, series, type SeriesTypes } from './queries.ts'

const selectionOf = async (
  source: SearchSource,
  viewer: Viewer,
  { libraryId, fullTextSearch, ...narrowing }: ListOptions,
): Promise<Selection> => ({
  libraryId,
  narrowed: narrow(narrowing, { target: 'series', viewer }),
  text: await textMatch(source, viewer, 'series', fullTextSearch),
})

/** Kept numbers where the viewer sees all of what was counted; else it is counted. */
const count = async (db: ReadDb, viewer: Viewer, selection: Selection): Promise<Counted> => {
  if (isFiltered(selection)) {
    const { narrowed, libraryId } = selection
    if (narrowed?.term && libraryId === undefined && seesEverything(viewer)) {
      const counted = await countByTerm(db, viewer, narrowed.term, { content: 'series', absent: absentSeries })
      if (counted.total > keptIdsMax) return counted
    }
    const ids = await series.selectSomeIds(db, viewer, selection, keptIdsMax + 1)
    if (ids.length <= keptIdsMax) return { total: ids.length, libraryIds: [], ids }
    return { total: await series.count(db, viewer, selection), libraryIds: [] }
  }
  if (seesWholeLibraries(viewer)) return selectStoredCounts(db, viewer, 'series_count', selection.libraryId)
  if (selection.libraryId === undefined) return series.countByLibrary(db, viewer, selection)
  return { total: await series.count(db, viewer, selection), libraryIds: [selection.libraryId] }
}

export const {
  pages: listsOfSeries,
  open: openSeries,
  first: firstSeries,
  letters: seriesLettersOf,
  facets: seriesFacetsOf,
} = listsOf<SeriesTypes & { readonly options: ListOptions; readonly sort: SeriesSort }>({
  queries: series,
  selectionOf,
  usualSort: ({ text }) => (text ? 'relevance,desc' : 'name,asc'),
  // The contract has checked it.
  fieldOf: (name) => seriesOrders[name as keyof typeof seriesOrders],
  count,
  isInOrder,
  ordersOfReaders: new Set(['lastRead', 'userRating']),
  isShownQuickly: false,
})
