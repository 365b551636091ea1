import { carryRule } from '../../database/carry-over.ts'

/** What is part of books that become part of another is part of that one. */
export const partRule = carryRule({ table: 'book_merge', of: 'book', by: ['into_book_id'] })
