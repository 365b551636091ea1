import { carryRule } from '../../database/carry-over.ts'

const rule = {
  table: 'want_to_read',
  kind: 'wanted',
  owner: 'user_id',
  first: ['own', 'position', 'id'],
  changedIn: ['id'],
} as const

/** Who wanted any of them wants the one that stays, at the position they had given it. */
export const wantToReadRules = [
  carryRule({ ...rule, of: 'series', by: ['series_id'] }),
  carryRule({ ...rule, of: 'book', by: ['book_id'] }),
]
