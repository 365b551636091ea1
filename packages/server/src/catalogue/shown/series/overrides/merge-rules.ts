import { carryRule } from '../../../../database/carry-over.ts'

/** What was put into a series stays with it, whatever that becomes part of. */
export const overrideRule = carryRule({ table: 'series_override', of: 'series', by: ['series_id'], kind: 'override' })
