export type { ReadContent } from './books/columns.ts'
export { bookPart, groupingHints, type StoredLayer } from './books/layers.ts'
export { bookNamesOf, type FilePath, type NamingRules, seriesPlaceOf } from './books/names.ts'
export { type PlacedBooks, placeBooks, takePlace } from './books/place.ts'
export {
  dropCarriedRatings,
  lockBooks,
  markMissing,
  moveBooks,
  moveBooksBack,
  selectPlaces as selectPlacesOfBooks,
  setBookCovers,
  setBookLocks,
  setLocksOfBooks,
  updateState as setStateOfBooks,
} from './books/queries.ts'
export { forgetBooks, forgetHiddenBooks, hideBooks } from './books/remove.ts'
export { announceRefreshed, toldSinglyMax } from './news.ts'
export { refresh } from './refresh.ts'
export { withBooksBehind } from './series/claims/provenance.ts'
export { renameSeries, restoreSeries, selectSeriesAtKeys } from './series/keep.ts'
export {
  lockSeries,
  renewCoversOfFirstBooks,
  selectSeriesToFollow,
  type SeriesToFollow,
  replaceTags,
  selectExistingTags,
  setLocksOfSeries,
  setSeriesCover,
  setSeriesLocks,
  updateCommunityRatings,
} from './series/queries.ts'
export { emptySeries, forgetSeries, removeSeries } from './series/remove.ts'
export {
  areKeysTaken,
  insertMerges,
  insertRenames,
  insertSharingTags,
  lockForMerge,
  type Rename,
  returnKeys,
  selectForMerge,
  selectKeysOfParts,
  selectKnownKeys,
  selectMergeTargets,
  selectWhole,
  type SeriesToMerge,
} from './series/merges/queries.ts'
