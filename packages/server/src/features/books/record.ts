import type { Insertable } from 'kysely'
import type { WriteDb } from '../../database/database.ts'
import { insertMany, updateMany } from '../../database/many.ts'
import type { BookTables } from './table.ts'

type BookRow = Insertable<BookTables['book']>

export const insertBooks = (db: WriteDb, rows: readonly BookRow[]): Promise<void> => insertMany(db, 'book', rows)

const placeShape = {
  keys: { id: 'text' },
  columns: {
    library_id: 'text',
    series_id: 'text',
    state: 'text',
    missing_since: 'text',
    title: 'text',
    sort_key: 'text',
    position_key: 'text',
    number: 'real',
    number_text: 'text',
    volume: 'integer',
    chapter: 'real',
    is_special: 'integer',
    size: 'integer',
    updated_at: 'text',
  },
} as const

/** Where books are now, and what they are called there. */
export const placeBooks = (
  db: WriteDb,
  rows: readonly (Pick<BookRow, keyof typeof placeShape.columns> & { readonly id: string })[],
): Promise<void> => updateMany(db, 'book', placeShape, rows)

const contentShape = {
  keys: { id: 'text' },
  columns: {
    series_id: 'text',
    title: 'text',
    title_sort: 'text',
    sort_key: 'text',
    position_key: 'text',
    number: 'real',
    number_text: 'text',
    volume: 'integer',
    chapter: 'real',
    is_special: 'integer',
    summary: 'text',
    reading_direction: 'text',
    own_age_rating: 'integer',
    age_rating: 'integer',
    format: 'text',
    page_count: 'integer',
    analysed: 'integer',
    metadata: 'text',
    updated_at: 'text',
  },
} as const

/** What is in books, once it has been read. */
export const describeBooks = (
  db: WriteDb,
  rows: readonly (Pick<BookRow, keyof typeof contentShape.columns> & { readonly id: string })[],
): Promise<void> => updateMany(db, 'book', contentShape, rows)
