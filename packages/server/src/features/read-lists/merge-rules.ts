import { carryRule } from '../../database/carry-over.ts'
import { announceSameReadList } from './news.ts'

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
    for (const readListId of readListIds) await announceSameReadList(db, readListId, now)
  },
})
