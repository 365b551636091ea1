export {
  seesWholeLibraries,
  seesEverything,
  seesWholeSeries,
  narrowedTo,
  amongLibraries,
  libraryByLibrary,
  type Sight,
  sightOf,
  type Viewer,
  type ViewRule,
} from './viewer.ts'
export { readerOf, seesTermOfSeries, shownOfOneSeries, shownOfSeries } from '../../filtering/filtering.ts'
export {
  visibleTo,
  knownTo,
  showsBooks,
  tellsSeries,
  toldSeriesId,
  listedTo,
  visibleLibraries,
  selectAgeCeilings,
  labelsOfStricterSeries,
  selectBookLabels as labelsOfBooks,
  selectGrantedTags,
} from './queries.ts'
export { hiddenAbove, isSeenUnder, readRestrictions, type Restriction } from './restrictions.ts'
export { type CachedAnswers, cachedAnswers, sharedAnswers } from './cached-answers.ts'
export { type CachedLists, cachedLists, type ListView } from './cached-lists.ts'
export { readAsOfNow } from './read-as-of-now.ts'
export {
  announceBooks,
  announceCovers,
  announceEdits,
  announceSeries,
  type Edit,
  type ListAudiences,
  announcementsOfChange,
  announcementsOfList,
  selectAudiences,
} from './news.ts'
