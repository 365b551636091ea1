export {
  carryCoversOver,
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
export { coverReading } from './cover-reading.ts'
export { noteWantedCovers, startMakingCovers, wantCovers } from './record.ts'
export { makeCovers } from './tasks.ts'
export { uploadedPicture } from './uploaded-picture.ts'
