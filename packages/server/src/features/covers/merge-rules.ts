import { carryRule } from '../../database/carry-over.ts'
import { automatic } from './queries.ts'

const rule = {
  table: 'cover',
  by: ['entity_id'],
  kind: 'cover',
  leaves: { column: 'source', values: automatic },
} as const

/** Pictures that people or plugins have added go to the one that stays. */
export const coverRules = [carryRule({ ...rule, of: 'series' }), carryRule({ ...rule, of: 'book' })]
