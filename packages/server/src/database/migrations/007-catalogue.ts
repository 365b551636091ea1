import { type Migration, type SchemaChange, schemaChange } from './migration.ts'

export const catalogue: Migration = {
  name: 'lists of the catalogue in every order',
  run: async (db, dialect) => {
    const change = schemaChange(db, dialect)
    await orderLibraries(change)
    await orderMissingBooks(change)
    await change.createIndex('book_hidden', 'book', ['library_id', 'id'], { where: "state = 'hidden'" })
    // A root that no longer belongs to its library stands as long as files are known to have been there.
    await db.schema.alterTable('library_root').addColumn('removed_at', dialect.text).execute()
  },
}

const orderLibraries = async ({ createIndex }: SchemaChange): Promise<void> => {
  const shown = { where: 'book_count > 0' }
  await createIndex('series_of_library_by_creation', 'series', ['library_id', 'created_at', 'id'], shown)
  await createIndex('series_of_library_by_change', 'series', ['library_id', 'updated_at', 'id'], shown)
  const present = { where: "state = 'present'" }
  await createIndex('book_of_library_by_creation', 'book', ['library_id', 'created_at', 'id'], present)
  await createIndex('book_of_library_by_change', 'book', ['library_id', 'updated_at', 'id'], present)
}

/** Nearly empty, as missing books are few: a list that shows them too is merged from two. */
const orderMissingBooks = async ({ createIndex }: SchemaChange): Promise<void> => {
  const missing = { where: "state = 'missing'" }
  await createIndex('book_missing_by_title', 'book', ['sort_key', 'id'], missing)
  await createIndex('book_missing_by_creation', 'book', ['created_at', 'id'], missing)
  await createIndex('book_missing_by_change', 'book', ['updated_at', 'id'], missing)
  await createIndex('book_missing_of_library_by_title', 'book', ['library_id', 'sort_key', 'id'], missing)
  await createIndex('book_missing_of_library_by_creation', 'book', ['library_id', 'created_at', 'id'], missing)
  await createIndex('book_missing_of_library_by_change', 'book', ['library_id', 'updated_at', 'id'], missing)
}
