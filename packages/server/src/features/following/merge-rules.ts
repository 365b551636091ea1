import { carryRule } from '../../database/carry-over.ts'

/** Followers of any of them follow the one that stays, and its arrivals are arrivals of that one. */
export const followRules = [
  carryRule({ table: 'arrival', of: 'series', by: ['series_id'] }),
  carryRule({
    table: 'series_follow',
    of: 'series',
    by: ['series_id'],
    kind: 'follow',
    owner: 'user_id',
    first: ['own', 'followed_at', 'series_id'],
  }),
]
