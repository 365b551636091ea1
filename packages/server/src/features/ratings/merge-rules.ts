import { carryRule } from '../../database/carry-over.ts'

const rule = {
  kind: 'rating',
  owner: 'user_id',
  first: ['updated_at desc', 'own'],
  keeps: ['id'],
  joins: ['notes'],
  changedIn: ['updated_at'],
  comesBackAnyway: true,
} as const

/** Each user's latest rating passes to the one that stays, and no note is lost. */
export const ratingRules = [
  carryRule({ ...rule, table: 'series_rating', of: 'series', by: ['series_id'] }),
  carryRule({ ...rule, table: 'book_rating', of: 'book', by: ['book_id'] }),
]
