export {
  seesWholeLibraries,
  seesEverything,
  seesWholeSeries,
  narrowedTo,
  amongLibraries,
  libraryByLibrary,
  type Viewer,
  type ViewRule,
} from './viewer.ts'
export { readerOf } from '../../filtering/filtering.ts'
export {
  visibleTo,
  knownTo,
  showsBooks,
  listedTo,
  visibleLibraries,
  selectAgeCeilings,
  selectBookLabels as labelsOfBooks,
  selectGrantedTags,
} from './queries.ts'
export { keptAnswers } from './kept-answers.ts'
export { type KeptLists, keptLists, type ListView } from './kept-lists.ts'
export {
  announceBooks,
  announceCovers,
  announceEdits,
  announceSeries,
  type Edit,
  type ListSights,
  newsOfChange,
  newsOfList,
  sightsIn,
} from './news.ts'
