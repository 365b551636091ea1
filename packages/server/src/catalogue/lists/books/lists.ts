import { bookOrders, type BookSort, type Facets } from '@carrel/api'
import type { Database, ReadDb } from '../../../database/database.ts'
import { both, wrapCondition, narrow, type Narrowed, seriesApart, forEachRow } from '../../../filtering/filtering.ts'
import { matchWords, type SearchSource, textMatch } from '../../search-index/search-index.ts'
import { seesEverything, seesWholeLibraries, seesWholeSeries, type Viewer } from '../../visibility/visibility.ts'
import { listsOf, type ListOptions } from '../pages.ts'
import { countByTerm, type Counted, isFiltered, type Selection, selectStoredCounts } from '../queries.ts'
import {
  absentBooks,
  books,
  type BookTypes,
  countLanguages,
  hasEachTermBooks,
  missingOnly,
  narrowedToLanguage,
  selectNumber,
  selectStoredCountOfSeries,
} from './queries.ts'

/** Up to this many are found and counted in one statement and put into order by their ids. */
const foundAtOnceMax = 5000

interface BookListRequest extends ListOptions {
  readonly seriesId?: string | undefined
  readonly includeDeleted?: boolean | undefined
  /** The language is that of their series. */
  readonly language?: string | undefined
}

const selectionOf = async (
  source: SearchSource,
  viewer: Viewer,
  { libraryId, seriesId: ofSeries, includeDeleted, fullTextSearch, condition, language, ...names }: BookListRequest,
): Promise<Selection> => {
  const apart = ofSeries === undefined ? seriesApart(condition) : { seriesId: ofSeries, rest: condition }
  const { seriesId } = apart
  const narrowed = narrow({ ...names, condition: apart.rest }, { target: 'books', viewer })
  const inLanguage = language === undefined ? narrowed : narrowedToLanguage(viewer, narrowed, language)
  const selection = {
    libraryId,
    seriesId,
    includeDeleted,
    narrowed: await asGathered(source.db, viewer, inLanguage, { libraryId, seriesId }),
    text: await textMatch(source, viewer, 'book', fullTextSearch),
  }
  return { ...selection, byWords: () => foundByWords(source.db, viewer, selection) }
}

/** A term of so many books is looked for in those that have the text, and not the other way round. */
const commonFrom = 20_000
const comparedMax = 10

/** The same condition, asked in the way that takes least. */
export const asGathered = async (
  { dialect, readSlowly }: Pick<Database, 'dialect' | 'readSlowly'>,
  viewer: Viewer,
  narrowed: Narrowed | undefined,
  { libraryId, seriesId }: Pick<Selection, 'libraryId' | 'seriesId'>,
): Promise<Narrowed | undefined> => {
  if (!narrowed || seriesId !== undefined) return narrowed
  const { readsEveryRow, isOnePart, termsBesideText, compileFor: written } = narrowed
  const isAlone = isOnePart && libraryId === undefined && seesEverything(viewer)
  const isApart = readsEveryRow && dialect.indexesAnyText && !isAlone
  const terms = termsBesideText.slice(0, comparedMax)
  const areCommon = terms.length > 0 && (await hasEachTermBooks(readSlowly, terms, commonFrom))
  if (!isApart && !areCommon) return narrowed
  const way = { terms: areCommon ? 'forEachRow' : 'forAllRows', texts: isApart ? 'apart' : 'with the rest' } as const
  return { ...narrowed, forAllRows: written(way), readsEveryRow: readsEveryRow && !isApart }
}

/** Up to so many are looked up one by one, to see whether they are what is asked for. */
const lookedUpMax = 20_000

/** What is asked of texts, as it is found by words; undefined where that takes no less than reading the texts. */
const foundByWords = async (
  db: Pick<Database, 'dialect' | 'readSlowly'>,
  viewer: Viewer,
  { narrowed, libraryId, seriesId, includeDeleted, text }: Selection,
): ReturnType<NonNullable<Selection['byWords']>> => {
  const sought = narrowed?.sought
  if (!sought || seriesId !== undefined || text) return undefined
  const match = await matchWords(db, sought.texts)
  if (!match) return undefined
  const where = both(match.where, match.isExact ? sought.beside : narrowed.compileFor(forEachRow))
  if (match.isExact && sought.isAll && libraryId === undefined && !includeDeleted && seesEverything(viewer)) {
    const total = await selectNumber(db.readSlowly, match.count)
    if (total !== undefined) return { where, total }
  }
  const some = await selectNumber(db.readSlowly, match.countUpTo(lookedUpMax + 1))
  return some !== undefined && some <= lookedUpMax ? { where } : undefined
}

const count = async (db: ReadDb, viewer: Viewer, selection: Selection): Promise<Counted> => {
  const { libraryId, seriesId } = selection
  if (isFiltered(selection)) {
    const { narrowed, includeDeleted } = selection
    const isOfTerm = narrowed?.term && !includeDeleted && (libraryId ?? seriesId) === undefined
    if (isOfTerm && seesEverything(viewer))
      return countByTerm(db, viewer, narrowed.term, { content: 'book', absent: absentBooks })
    const sooner = await selection.byWords?.()
    if (sooner?.total !== undefined) {
      const areFew = sooner.total <= foundAtOnceMax
      return { total: sooner.total, libraryIds: [], where: areFew ? sooner.where : undefined }
    }
    const sought = sooner ? { ...selection, narrowed: wrapCondition(sooner.where) } : selection
    const ids = await books.selectSomeIds(db, viewer, sought, foundAtOnceMax + 1)
    if (ids.length <= foundAtOnceMax) return { total: ids.length, libraryIds: [], ids }
    return { total: await books.count(db, viewer, sought), libraryIds: [] }
  }
  if (seriesId === undefined && libraryId === undefined && !seesWholeLibraries(viewer))
    return books.countByLibrary(db, viewer, selection)
  const storedCount = await readStoredCount(db, viewer, selection)
  if (!storedCount) return { total: await books.count(db, viewer, selection), libraryIds: [] }
  const missing = selection.includeDeleted ? await books.count(db, viewer, selection, missingOnly) : 0
  return { ...storedCount, total: storedCount.total + missing }
}

/** Kept numbers where the viewer sees all of what was counted. */
const readStoredCount = async (db: ReadDb, viewer: Viewer, selection: Selection): Promise<Counted | undefined> => {
  if (selection.seriesId !== undefined) {
    if (!seesWholeSeries(viewer)) return undefined
    return { total: await selectStoredCountOfSeries(db, viewer, selection), libraryIds: [] }
  }
  return seesWholeLibraries(viewer) ? selectStoredCounts(db, viewer, 'book_count', selection.libraryId) : undefined
}

export const {
  pages: listsOfBooks,
  open: openBooks,
  first: firstBooks,
  letters: bookLettersOf,
  facets: bookFacetsOf,
} = listsOf<BookTypes & { readonly options: BookListRequest; readonly sort: BookSort }>({
  queries: books,
  selectionOf,
  usualSort: ({ text, seriesId }) => (text ? 'relevance,desc' : seriesId === undefined ? 'name,asc' : 'number,asc'),
  fieldOf: (name, { seriesId }) => {
    // The contract has checked it.
    const field = bookOrders[name as keyof typeof bookOrders]
    return field === 'number' && seriesId !== undefined ? 'place' : field
  },
  count,
  isInOrder: (_, selection) => !isFiltered(selection),
  ordersOfReaders: new Set(['lastRead']),
  isShownQuickly: true,
})

const languagesMax = 50

/** In which languages the series of these books are. */
export const bookLanguagesOf = async (
  source: SearchSource,
  viewer: Viewer,
  options: BookListRequest,
): Promise<Facets['facets'][string]> =>
  countLanguages(source.db.readSlowly, viewer, await selectionOf(source, viewer, options), languagesMax)
