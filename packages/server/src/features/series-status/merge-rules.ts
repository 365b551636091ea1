import { carryRule } from '../../database/carry-over.ts'

/** What somebody has said last of any of them, unless they have said something of the one that stays. */
export const statusRule = carryRule({
  table: 'series_status',
  of: 'series',
  by: ['series_id'],
  kind: 'status',
  owner: 'user_id',
  first: ['own', 'updated_at desc', 'series_id'],
  changedIn: ['updated_at'],
})
