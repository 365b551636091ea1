import { enqueueCatalogueCheck, type Migration, schemaChange } from './migration.ts'

/**
 * A series may be rated lower than some of its books: whoever sees it without those is shown what the others say of it. What is there
 * already is worked out when the catalogue is checked.
 */
export const seriesInPart: Migration = {
  version: 64,
  name: 'series in part',
  run: async (db, dialect) => {
    const { createTable, createIndex } = schemaChange(db, dialect)
    await db.schema.alterTable('series').addColumn('strictest_rating', dialect.integer).execute()
    await db.schema.alterTable('series_term').addColumn('from_rating', dialect.integer).execute()
    await createIndex('series_term_in_part', 'series_term', {
      columns: ['from_rating', 'series_id', 'term_id', 'role'],
      where: 'from_rating is not null',
    })
    await createTable('series_in_part', {
      columns: {
        series_id: 'text',
        from_rating: 'integer',
        below_rating: 'integer',
        title: 'text',
        title_text: 'text',
        metadata: 'text',
        derived: 'text',
        writers: 'text?',
        title_sort: 'text?',
        title_sort_text: 'text?',
        summary: 'text?',
        summary_text: 'text?',
        publisher: 'text?',
        publisher_text: 'text?',
        original_title: 'text?',
        original_title_text: 'text?',
        status: 'text?',
        reading_direction: 'text?',
        language: 'text?',
        language_text: 'text?',
        year: 'integer?',
        total_volume_count: 'integer?',
        number_total: 'integer?',
      },
      primaryKey: ['series_id', 'from_rating'],
      foreignKeys: { series_in_part_of: ['series_id', 'series', 'cascade'] },
      indexes: { series_in_part_by_rating: ['from_rating', 'below_rating', 'series_id'] },
    })
    await enqueueCatalogueCheck(db, 64)
  },
}
