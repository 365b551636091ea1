export { collectionsBehind } from './automatic.ts'
export { carryCollectionsOver, giveCollectionsBack } from './carry-over/queries.ts'
export {
  changeCollection,
  createCollection,
  listCollections,
  listCollectionsOf,
  readCollection,
  removeCollection,
} from './keeping.ts'
export {
  addMembers as addToCollection,
  firstMember as firstOfCollection,
  replaceMembers as replaceInCollection,
} from './members.ts'
export type { Onlooker as CollectionOnlooker } from './queries.ts'
