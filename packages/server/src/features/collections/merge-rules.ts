import { carryRule } from '../../database/carry-over.ts'

/** The series that stays is in every collection that had one of them, at its place. */
export const memberRule = carryRule({
  table: 'collection_series',
  of: 'series',
  by: ['series_id'],
  kind: 'member',
  owner: 'collection_id',
  first: ['own', 'position', 'series_id'],
})
