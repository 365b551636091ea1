export { carryReadListsOver, giveReadListsBack } from './carry-over/carry-over.ts'
export { fillPlaces } from './import/fill-places.ts'
export {
  changeReadList,
  createReadList,
  listReadLists,
  listReadListsOf,
  readReadList,
  removeReadList,
} from './keeping.ts'
export {
  addMembers as addToReadList,
  firstMember as firstOfReadList,
  replaceMembers as replaceInReadList,
} from './members.ts'
export type { Onlooker as ReadListOnlooker } from './queries.ts'
