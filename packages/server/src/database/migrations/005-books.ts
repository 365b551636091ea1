import { type Migration, type SchemaChange, schemaChange } from './migration.ts'

export const books: Migration = {
  name: 'libraries, series, books and their files',
  run: async (db, dialect) => {
    const change = schemaChange(db, dialect)
    await createLibraries(change)
    await createSeries(change)
    await createBooks(change)
    await createFiles(change)
    await createScans(change)
    await createPictures(change)
  },
}

const createLibraries = async ({ createTable, createIndex }: SchemaChange): Promise<void> => {
  await createTable(
    'library',
    {
      id: 'text',
      name: 'text',
      sort_key: 'text',
      description: 'text?',
      grouping: 'text',
      numbering: 'text',
      title_from: 'text',
      formats: 'text?',
      exclude: 'text',
      reading_direction: 'text',
      cron: 'text?',
      time_zone: 'text?',
      watch: 'integer',
      status: 'text',
      book_count: 'integer',
      series_count: 'integer',
      last_scanned_at: 'text?',
      deleted_at: 'text?',
      created_at: 'text',
      updated_at: 'text',
    },
    (table) => table.addPrimaryKeyConstraint('library_pk', ['id']),
  )
  await createIndex('library_by_name', 'library', ['sort_key', 'id'], { where: 'deleted_at is null' })
  await createTable(
    'library_root',
    {
      id: 'text',
      library_id: 'text',
      position: 'integer',
      path: 'text',
      status: 'text',
      // What was there at the last good look, to tell another disk at the same place.
      device: 'integer?',
      inode: 'integer?',
      checked_at: 'text?',
    },
    (table) =>
      table
        .addPrimaryKeyConstraint('library_root_pk', ['id'])
        .addForeignKeyConstraint('library_root_library', ['library_id'], 'library', ['id'], (key) =>
          key.onDelete('cascade'),
        ),
  )
  await createIndex('library_root_of', 'library_root', ['library_id', 'position'])
}

const createSeries = async ({ createTable, createIndex }: SchemaChange): Promise<void> => {
  await createTable(
    'series',
    {
      id: 'text',
      library_id: 'text',
      /** What the grouping policy knows it by. */
      key: 'text',
      /** As the folder or the file names have it. */
      name: 'text',
      path: 'text?',
      title: 'text',
      title_sort: 'text?',
      sort_key: 'text',
      summary: 'text?',
      publisher: 'text?',
      year: 'integer?',
      status: 'text?',
      reading_direction: 'text?',
      language: 'text?',
      own_age_rating: 'integer?',
      /** Its own, or the highest of its books: what access goes by. */
      age_rating: 'integer?',
      /** All that is shown of the layers, as JSON. */
      metadata: 'text',
      locks: 'text',
      book_count: 'integer',
      max_volume: 'integer?',
      max_chapter: 'real?',
      volumes_owned: 'integer',
      first_book_id: 'text?',
      cover_id: 'text?',
      cover_version: 'integer',
      created_at: 'text',
      updated_at: 'text',
    },
    (table) =>
      table
        .addPrimaryKeyConstraint('series_pk', ['id'])
        .addForeignKeyConstraint('series_library', ['library_id'], 'library', ['id'])
        .addUniqueConstraint('series_key', ['library_id', 'key']),
  )
  const present = { where: 'book_count > 0' }
  await createIndex('series_by_name', 'series', ['sort_key', 'id'], present)
  await createIndex('series_of_library_by_name', 'series', ['library_id', 'sort_key', 'id'], present)
  await createIndex('series_by_creation', 'series', ['created_at', 'id'], present)
  await createIndex('series_by_change', 'series', ['updated_at', 'id'], present)
  await createTable('series_sharing_tag', { series_id: 'text', tag_id: 'text' }, (table) =>
    table
      .addPrimaryKeyConstraint('series_sharing_tag_pk', ['series_id', 'tag_id'])
      .addForeignKeyConstraint('series_sharing_tag_series', ['series_id'], 'series', ['id'], (key) =>
        key.onDelete('cascade'),
      )
      .addForeignKeyConstraint('series_sharing_tag_tag', ['tag_id'], 'sharing_tag', ['id'], (key) =>
        key.onDelete('cascade'),
      ),
  )
  await createIndex('series_sharing_tag_by_tag', 'series_sharing_tag', ['tag_id'])
}

const createBooks = async ({ createTable, createIndex }: SchemaChange): Promise<void> => {
  await createTable(
    'book',
    {
      id: 'text',
      library_id: 'text',
      series_id: 'text',
      state: 'text',
      missing_since: 'text?',
      title: 'text',
      title_sort: 'text?',
      sort_key: 'text',
      /** Its place in the series. */
      position_key: 'text',
      number: 'real?',
      number_text: 'text?',
      volume: 'integer?',
      chapter: 'real?',
      is_special: 'integer',
      summary: 'text?',
      reading_direction: 'text?',
      own_age_rating: 'integer?',
      /** Its own, or the series': what access goes by. */
      age_rating: 'integer?',
      format: 'text',
      size: 'integer',
      page_count: 'integer',
      analysed: 'integer',
      metadata: 'text',
      locks: 'text',
      cover_id: 'text?',
      cover_version: 'integer',
      /** Thumbhash of the cover, base64. */
      placeholder: 'text?',
      created_at: 'text',
      updated_at: 'text',
    },
    (table) =>
      table
        .addPrimaryKeyConstraint('book_pk', ['id'])
        .addForeignKeyConstraint('book_library', ['library_id'], 'library', ['id'])
        .addForeignKeyConstraint('book_series', ['series_id'], 'series', ['id']),
  )
  const present = { where: "state = 'present'" }
  await createIndex('book_of_series', 'book', ['series_id', 'position_key', 'id'])
  await createIndex('book_by_title', 'book', ['sort_key', 'id'], present)
  await createIndex('book_of_library_by_title', 'book', ['library_id', 'sort_key', 'id'], present)
  await createIndex('book_by_creation', 'book', ['created_at', 'id'], present)
  await createIndex('book_by_change', 'book', ['updated_at', 'id'], present)
  await createIndex('book_missing', 'book', ['library_id', 'missing_since', 'id'], { where: "state = 'missing'" })
  await createTable(
    'metadata_layer',
    { entity_id: 'text', source: 'text', fields: 'text', at: 'text', by_user_id: 'text?' },
    (table) => table.addPrimaryKeyConstraint('metadata_layer_pk', ['entity_id', 'source']),
  )
}

const createFiles = async ({ createTable, createIndex }: SchemaChange): Promise<void> => {
  await createTable(
    'file',
    {
      id: 'text',
      book_id: 'text',
      library_id: 'text',
      root_id: 'text',
      /** Relative to the root, with a slash at its end; empty for the root itself. */
      folder: 'text',
      name: 'text',
      size: 'integer',
      modified_us: 'integer',
      changed_us: 'integer',
      inode: 'integer',
      device: 'integer',
      is_folder: 'integer',
      state: 'text',
      analysis: 'text',
      wanted_at: 'text',
      fault_code: 'text?',
      fault_message: 'text?',
      fault_at: 'text?',
      crashes: 'integer',
      warnings: 'text?',
      file_hash: 'text?',
      content_hash: 'text?',
      pages_hash: 'text?',
      koreader_hash: 'text?',
      created_at: 'text',
      updated_at: 'text',
    },
    (table) =>
      table
        .addPrimaryKeyConstraint('file_pk', ['id'])
        .addUniqueConstraint('file_book', ['book_id'])
        .addForeignKeyConstraint('file_of_book', ['book_id'], 'book', ['id'], (key) => key.onDelete('cascade'))
        .addForeignKeyConstraint('file_of_root', ['root_id'], 'library_root', ['id']),
  )
  // All that a scan without changes reads, in the order of its walk.
  await createIndex(
    'file_of_root_by_path',
    'file',
    ['root_id', 'folder', 'name', 'size', 'modified_us', 'changed_us', 'inode', 'device', 'is_folder', 'book_id'],
    { where: "state = 'present'" },
  )
  await createIndex('file_path', 'file', ['root_id', 'folder', 'name'], { unique: true, where: "state = 'present'" })
  await createIndex('file_missing_by_path', 'file', ['root_id', 'folder', 'name'], { where: "state = 'missing'" })
  await createIndex('file_to_analyse', 'file', ['library_id', 'wanted_at desc', 'id'], {
    where: "analysis = 'pending' and state = 'present'",
  })
  await createIndex('file_with_fault', 'file', ['library_id', 'fault_at', 'id'], { where: 'fault_code is not null' })
  // Every fingerprint a book ever had, for ever.
  await createTable('book_fingerprint', { kind: 'text', value: 'text', book_id: 'text', at: 'text' }, (table) =>
    table
      .addPrimaryKeyConstraint('book_fingerprint_pk', ['kind', 'value', 'book_id'])
      .addForeignKeyConstraint('book_fingerprint_book', ['book_id'], 'book', ['id'], (key) => key.onDelete('cascade')),
  )
  await createIndex('book_fingerprint_of', 'book_fingerprint', ['book_id'])
  // Files beside books that say something of them.
  await createTable(
    'sidecar',
    {
      id: 'text',
      root_id: 'text',
      folder: 'text',
      name: 'text',
      size: 'integer',
      modified_us: 'integer',
      changed_us: 'integer',
      inode: 'integer',
      device: 'integer',
    },
    (table) =>
      table
        .addPrimaryKeyConstraint('sidecar_pk', ['id'])
        .addForeignKeyConstraint('sidecar_of_root', ['root_id'], 'library_root', ['id'], (key) =>
          key.onDelete('cascade'),
        ),
  )
  await createIndex('sidecar_by_path', 'sidecar', ['root_id', 'folder', 'name'], { unique: true })
  await createTable('page_index', { book_id: 'text', pages: 'bytes' }, (table) =>
    table
      .addPrimaryKeyConstraint('page_index_pk', ['book_id'])
      .addForeignKeyConstraint('page_index_book', ['book_id'], 'book', ['id'], (key) => key.onDelete('cascade')),
  )
}

const createScans = async ({ createTable, createIndex }: SchemaChange): Promise<void> => {
  await createTable(
    'scan',
    {
      id: 'text',
      library_id: 'text',
      task_id: 'text?',
      mode: 'text',
      paths: 'text?',
      status: 'text',
      phase: 'text?',
      files_total: 'integer',
      files_processed: 'integer',
      books_added: 'integer',
      books_updated: 'integer',
      books_moved: 'integer',
      books_missing: 'integer',
      books_restored: 'integer',
      series_added: 'integer',
      error_count: 'integer',
      errors: 'text',
      started_at: 'text?',
      completed_at: 'text?',
      created_at: 'text',
    },
    (table) =>
      table
        .addPrimaryKeyConstraint('scan_pk', ['id'])
        .addForeignKeyConstraint('scan_library', ['library_id'], 'library', ['id'], (key) => key.onDelete('cascade')),
  )
  await createIndex('scan_of_library', 'scan', ['library_id', 'created_at desc', 'id desc'])
  await createTable(
    'held_change',
    {
      id: 'text',
      library_id: 'text',
      scan_id: 'text',
      reason: 'text',
      held_at: 'text',
      vanishing: 'integer',
      of_books: 'integer',
      folders: 'text',
    },
    (table) =>
      table
        .addPrimaryKeyConstraint('held_change_pk', ['id'])
        .addUniqueConstraint('held_change_library', ['library_id'])
        .addForeignKeyConstraint('held_change_of', ['library_id'], 'library', ['id'], (key) => key.onDelete('cascade')),
  )
  await createTable('held_book', { held_id: 'text', book_id: 'text' }, (table) =>
    table
      .addPrimaryKeyConstraint('held_book_pk', ['held_id', 'book_id'])
      .addForeignKeyConstraint('held_book_held', ['held_id'], 'held_change', ['id'], (key) => key.onDelete('cascade')),
  )
  await createTable('scan_preview', { id: 'text', library_id: 'text', grouping: 'text', created_at: 'text' }, (table) =>
    table
      .addPrimaryKeyConstraint('scan_preview_pk', ['id'])
      .addForeignKeyConstraint('scan_preview_of', ['library_id'], 'library', ['id'], (key) => key.onDelete('cascade')),
  )
  await createIndex('scan_preview_of_library', 'scan_preview', ['library_id', 'created_at'])
  await createTable(
    'relink',
    { id: 'text', library_id: 'text', missing_book_id: 'text', present_book_id: 'text', status: 'text', at: 'text' },
    (table) =>
      table
        .addPrimaryKeyConstraint('relink_pk', ['id'])
        .addUniqueConstraint('relink_pair', ['missing_book_id', 'present_book_id'])
        .addForeignKeyConstraint('relink_missing', ['missing_book_id'], 'book', ['id'], (key) =>
          key.onDelete('cascade'),
        )
        .addForeignKeyConstraint('relink_present', ['present_book_id'], 'book', ['id'], (key) =>
          key.onDelete('cascade'),
        ),
  )
  await createIndex('relink_of_library', 'relink', ['library_id', 'at', 'id'])
}

const createPictures = async ({ createTable, createIndex }: SchemaChange): Promise<void> => {
  await createTable(
    'cover',
    {
      id: 'text',
      entity: 'text',
      entity_id: 'text',
      source: 'text',
      page: 'integer?',
      width: 'integer?',
      height: 'integer?',
      placeholder: 'text?',
      /** The name of its files. */
      content_hash: 'text',
      created_at: 'text',
      by_user_id: 'text?',
    },
    (table) => table.addPrimaryKeyConstraint('cover_pk', ['id']),
  )
  await createIndex('cover_of', 'cover', ['entity_id', 'created_at', 'id'])
  // Books whose cover is still to be made; a row goes when it is made or cannot be.
  await createTable('cover_wanted', { book_id: 'text', priority: 'integer', at: 'text', tries: 'integer' }, (table) =>
    table
      .addPrimaryKeyConstraint('cover_wanted_pk', ['book_id'])
      .addForeignKeyConstraint('cover_wanted_book', ['book_id'], 'book', ['id'], (key) => key.onDelete('cascade')),
  )
  await createIndex('cover_wanted_next', 'cover_wanted', ['priority desc', 'at', 'book_id'])
}
