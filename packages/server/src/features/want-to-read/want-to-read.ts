export { carryWantedOver } from './carry-over/queries.ts'
