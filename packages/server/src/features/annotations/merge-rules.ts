import { carryRule } from '../../database/carry-over.ts'

export const markRules = [
  carryRule({ table: 'bookmark', of: 'book', by: ['book_id'], kind: 'bookmark' }),
  carryRule({ table: 'annotation', of: 'book', by: ['book_id'], kind: 'annotation' }),
]
