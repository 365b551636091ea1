import type { BookDto, ReadListDto } from '@carrel/api'
import { selectListedBooks } from '../../catalogue/lists/lists.ts'
import type { ListKind } from '../../catalogue/member-lists/member-lists.ts'
import { showBooks } from '../books/books.ts'

export const readLists: ListKind<ReadListDto, BookDto> = {
  name: 'read list',
  table: 'read_list',
  content: 'book',
  members: { table: 'read_list_book', list: 'read_list_id', item: 'book_id' },
  changes: 'read_list_book_change',
  hasEntryIds: true,
  isAutomatic: false,
  isOrdered: true,
  mayRead: 'readlists:read',
  mayChange: 'readlists:write',
  events: (readListId) => ({
    created: { type: 'read_list_created', readListId },
    updated: { type: 'read_list_updated', readListId },
    deleted: { type: 'read_list_deleted', readListId },
  }),
  toList: (row) => ({
    id: row.id,
    name: row.name,
    summary: row.summary,
    ordered: row.ordered === 1,
    fromFiles: row.files_key !== null,
    followsFiles: row.follows_files === 1,
    bookCount: row.member_count,
    createdAt: row.created_at,
    updatedAt: row.changed_at,
  }),
  show: async (db, viewer, behind) => showBooks(db, viewer, await selectListedBooks(db, behind)),
}
