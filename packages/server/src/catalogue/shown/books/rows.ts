import type { Insertable } from 'kysely'
import type { WriteDb } from '../../../database/database.ts'
import { insertMany, updateMany } from '../../../database/many.ts'
import type { BookTables } from '../table.ts'
import { bookFieldColumns } from './columns.ts'

type BookRow = Insertable<BookTables['book']>

export const insertBooks = (db: WriteDb, rows: readonly BookRow[]): Promise<void> => insertMany(db, 'book', rows)

const nameColumns = {
  series_id: 'text',
  title: 'text',
  sort_key: 'text',
  position_key: 'text',
  file_sort_key: 'text',
  title_text: 'text',
  path_text: 'text',
  number: 'real',
  number_sort: 'real',
  number_text: 'text',
  volume: 'integer',
  chapter: 'real',
  is_special: 'integer',
} as const

const placeShape = {
  keys: { id: 'text' },
  columns: {
    library_id: 'text',
    state: 'text',
    missing_since: 'text',
    ...nameColumns,
    size: 'integer',
    updated_at: 'text',
  },
} as const

/** Where books are now, and what they are called there. */
export const savePlaces = (
  db: WriteDb,
  rows: readonly (Pick<BookRow, keyof typeof placeShape.columns> & { readonly id: string })[],
): Promise<void> => updateMany(db, 'book', placeShape, rows)

const contentColumns = {
  ...bookFieldColumns.kinds,
  own_age_rating: 'integer',
  said_age_rating: 'integer',
  released: 'text',
  format: 'text',
  page_count: 'integer',
  analysed: 'integer',
  metadata: 'text',
  updated_at: 'text',
} as const

type Content = Pick<BookRow, keyof typeof contentColumns> & { readonly id: string }
type Names = Pick<BookRow, keyof typeof nameColumns>

/** What is shown of books. Those that are called as before are written without their names. */
export const saveDescribed = async (db: WriteDb, rows: readonly (Content | (Content & Names))[]): Promise<void> => {
  const [named, asBefore] = [true, false].map((isNamed) => rows.filter((row) => 'series_id' in row === isNamed))
  const keys = { id: 'text' } as const
  await updateMany(db, 'book', { keys, columns: { ...nameColumns, ...contentColumns } }, named ?? [])
  await updateMany(db, 'book', { keys, columns: contentColumns }, asBefore ?? [])
}
