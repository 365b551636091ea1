import { type Migration, type SchemaChange, schemaChange } from './migration.ts'

export const merges: Migration = {
  name: 'merges that can be taken back, and books that have become part of others',
  run: async (db, dialect) => {
    const change = schemaChange(db, dialect)
    await db.schema.alterTable('series_merge').addColumn('part_id', dialect.text).execute()
    await createMerges(change)
    await createParts(change)
  },
}

const createMerges = async ({ createTable, createIndex }: SchemaChange): Promise<void> => {
  await createTable(
    'merge',
    {
      id: 'text',
      /** `series` or `book`. */
      entity: 'text',
      library_id: 'text',
      into_id: 'text',
      at: 'text',
      by_user_id: 'text?',
      undone_at: 'text?',
    },
    (table) =>
      table
        .addPrimaryKeyConstraint('merge_pk', ['id'])
        .addForeignKeyConstraint('merge_library', ['library_id'], 'library', ['id'], (key) => key.onDelete('cascade')),
  )
  await createIndex('merge_into', 'merge', ['into_id', 'at', 'id'])
  await createIndex('merge_by_age', 'merge', ['entity', 'at', 'id'])
  await createIndex('merge_of_library', 'merge', ['library_id'])
  // As things were before, each as JSON; what was somebody's goes with them.
  await createTable(
    'merge_row',
    { merge_id: 'text', number: 'integer', kind: 'text', user_id: 'text?', content: 'text' },
    (table) =>
      table
        .addPrimaryKeyConstraint('merge_row_pk', ['merge_id', 'number'])
        .addForeignKeyConstraint('merge_row_of', ['merge_id'], 'merge', ['id'], (key) => key.onDelete('cascade'))
        .addForeignKeyConstraint('merge_row_user', ['user_id'], 'user', ['id'], (key) => key.onDelete('cascade')),
  )
  await createIndex('merge_row_of_user', 'merge_row', ['user_id'], { where: 'user_id is not null' })
}

const createParts = async ({ createTable, createIndex }: SchemaChange): Promise<void> => {
  // Books that came into a series with another one, which had this id.
  await createTable('merged_series_book', { merge_id: 'text', book_id: 'text', series_id: 'text' }, (table) =>
    table
      .addPrimaryKeyConstraint('merged_series_book_pk', ['merge_id', 'book_id'])
      .addForeignKeyConstraint('merged_series_book_by', ['merge_id'], 'merge', ['id'], (key) => key.onDelete('cascade'))
      .addForeignKeyConstraint('merged_series_book_of', ['book_id'], 'book', ['id'], (key) => key.onDelete('cascade')),
  )
  await createIndex('merged_series_book_by_book', 'merged_series_book', ['book_id'])
  await createTable('book_merge', { book_id: 'text', into_book_id: 'text', merge_id: 'text' }, (table) =>
    table
      .addPrimaryKeyConstraint('book_merge_pk', ['book_id'])
      .addForeignKeyConstraint('book_merge_of', ['book_id'], 'book', ['id'], (key) => key.onDelete('cascade'))
      .addForeignKeyConstraint('book_merge_into', ['into_book_id'], 'book', ['id'], (key) => key.onDelete('cascade'))
      .addForeignKeyConstraint('book_merge_by', ['merge_id'], 'merge', ['id'], (key) => key.onDelete('cascade')),
  )
  await createIndex('book_merge_by_target', 'book_merge', ['into_book_id'])
  await createIndex('book_merge_by_merge', 'book_merge', ['merge_id'])
  // Facts of the log that were said of another book, which has become part of the one they stand with now.
  await createTable('refiled_fact', { merge_id: 'text', user_id: 'text', id: 'text', book_id: 'text' }, (table) =>
    table
      .addPrimaryKeyConstraint('refiled_fact_pk', ['merge_id', 'user_id', 'id'])
      .addForeignKeyConstraint('refiled_fact_by', ['merge_id'], 'merge', ['id'], (key) => key.onDelete('cascade'))
      .addForeignKeyConstraint('refiled_fact_user', ['user_id'], 'user', ['id'], (key) => key.onDelete('cascade')),
  )
  await createIndex('refiled_fact_of_user', 'refiled_fact', ['user_id'])
}
