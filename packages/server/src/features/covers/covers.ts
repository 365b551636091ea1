export { type CarriedCovers, carryCoversOver, giveCoversBack } from './carry-over.ts'
export {
  coverFromPage,
  type Choosing,
  listCovers,
  removeCover,
  requirePictured,
  selectOne,
  takeOverCovers,
  unselect,
  uploadCover,
} from './choose-cover.ts'
export {
  bringCover,
  bringListCover,
  type BroughtCover,
  readChosenCovers,
  takeCoverBack,
  takeListCoverBack,
} from './brought.ts'
export { type CoverReading, createCoverReader } from './cover-reading.ts'
export { isLastingCover } from './lasting.ts'
export { coverRules } from './merge-rules.ts'
export {
  listListCovers,
  type PicturedList,
  pictureOfList,
  removeListCover,
  selectOneOfList,
  uploadListCover,
} from './list-covers.ts'
export { isSoundPicture, PackedPicture, packPicture, unpackPicture } from './packed-picture.ts'
export { startRemakingCovers } from './remake.ts'
export { queueCovers, startMakingCovers, requestCovers } from './record.ts'
export { coverStore, type CoverStore, nameInKey } from './store.ts'
export { forgetPictures, coverSizesOf, makeCovers } from './tasks.ts'
export { forgetPluginCovers, showPluginCover } from './plugin-covers.ts'
export { type GivenCover, giveCovers, selectGivenCovers, selectWithoutGiven } from './given-covers.ts'
export { uploadedPicture } from './uploaded-picture.ts'
