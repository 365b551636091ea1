import { carryRule } from '../../database/carry-over.ts'
import { announceSame } from '../../catalogue/member-lists/member-lists.ts'
import { readLists } from './kind.ts'

/** The book that stays is in every list that had one of them, once. */
export const entryRule = carryRule({
  table: 'read_list_book',
  of: 'book',
  by: ['book_id'],
  kind: 'read_list',
  owner: 'read_list_id',
  first: ['own', 'position', 'id'],
  changedIn: ['id'],
  tell: async (db, readListIds, now) => {
    for (const id of readListIds) await announceSame(db, readLists, { id }, now)
  },
})
