import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const bookLetters: Migration = {
  name: 'where each letter begins in lists of books',
  run: async (db) => {
    // With what most rules of access ask, so that the rows need not be looked at; and only for whoever says that there is a
    // key, which is always so: no planner takes it for a way to all books.
    await sql`create index book_by_letter on book (substr(sort_key, 1, 1), library_id, age_rating)
      where state = 'present' and sort_key >= ''`.execute(db)
  },
}
