export { carryCollectionsOver } from './carry-over/queries.ts'
