export type { ReadContent } from './books/columns.ts'
export { type GroupedBook, groupBooks, movesByGrouping, selectSeriesOfKeys } from './books/grouped.ts'
export { bookPart, groupingHints, type StoredLayer } from './books/layers.ts'
export { bookNamesOf, type FileInRoot, type FilePath, type NamingRules, groupFile } from './books/names.ts'
export { type MoveByHand, moveBooksTo, type PlacedBooks, placeBooks, takeOverLocation } from './books/place-books.ts'
export { bringToWholes, insertHiddenParts } from './books/parts.ts'
export {
  updateFormatsOfBooks,
  setCarriedRatings,
  dropCarriedRatings,
  lockBooks,
  markMissing,
  moveBooks,
  moveBooksBack,
  namesOfRoots,
  selectLocationsOfBooks,
  setBookCovers,
  setBookTones,
  setLocksOfBooks,
  updateStateOfBooks,
} from './books/queries.ts'
export { forgetBooks, forgetHiddenBooks, hideBooks } from './books/remove.ts'
export { announceRefreshed, announcedSinglyMax } from './news.ts'
export { refresh } from './refresh.ts'
export { findFalling } from './series/falling.ts'
export { followRootName } from './series/follow-root.ts'
export { withBooksBehind } from './series/claims/provenance.ts'
export { renameSeries, restoreSeries, selectSeriesAtKeys, storeSeriesByHand } from './series/keep.ts'
export {
  lockSeries,
  renewCoversOfFirstBooks,
  selectSeriesToFollow,
  type SeriesToFollow,
  replaceTags,
  selectExistingTags,
  setLocksOfSeries,
  setSeriesCovers,
  updateCommunityRatings,
} from './series/queries.ts'
export { safeTags } from './series/tags.ts'
export { emptySeries, forgetSeries, removeSeries } from './series/remove.ts'
export {
  areKeysTaken,
  deleteMergedKeys,
  insertMerges,
  insertRenames,
  insertSharingTags,
  lockForMerge,
  type Rename,
  returnKeys,
  selectForMerge,
  selectKeysOfParts,
  selectExistingKeys as selectKnownKeys,
  selectMergesOf,
  selectMergeTargets,
  selectWhole,
  type SeriesToMerge,
} from './series/merges/queries.ts'
export { overrideRule } from './series/overrides/merge-rules.ts'
export { readOverrides } from './series/overrides/overrides.ts'
export {
  deleteOverrides,
  handOverride,
  insertOverrides,
  newOverride,
  type OverrideRow,
  selectFollowedFolders,
  selectHeirs,
  selectOverridesById,
  selectOverridesOfBooks,
  selectOverridesOfFolders,
  selectOverridesThrough,
  updateFollowedFolder,
} from './series/overrides/queries.ts'
