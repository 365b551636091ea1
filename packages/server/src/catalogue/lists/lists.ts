export { bookColumns, type ListedBook, type ListedSeries, seriesColumns } from './kinds.ts'
export { selectListedBooks, selectListedSeries } from './queries.ts'
export { bookFacetsOf, bookLanguagesOf, bookLettersOf, firstBooks, listsOfBooks, openBooks } from './books/lists.ts'
export { firstSeries, listsOfSeries, openSeries, seriesFacetsOf, seriesLettersOf } from './series/lists.ts'
