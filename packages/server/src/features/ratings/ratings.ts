export { carryRatingsOver } from './carry-over/queries.ts'
