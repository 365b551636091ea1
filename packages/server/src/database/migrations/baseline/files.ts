import type { Tables } from '../table-definition.ts'

export const files: Tables = {
  file: {
    columns: {
      id: 'text',
      book_id: 'text',
      library_id: 'text',
      root_id: 'text',
      // Relative to the root, with a slash at its end; empty for the root itself.
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
      // MD5 of the name: neither database can make it of the name alike.
      name_hash: 'text?',
    },
    primaryKey: ['id'],
    unique: { file_book: ['book_id'] },
    foreignKeys: { file_of_book: ['book_id', 'book', 'cascade'], file_of_root: ['root_id', 'library_root'] },
    indexes: {
      // All that a scan without changes reads, in the order of its walk.
      file_of_root_by_path: {
        columns: [
          'root_id',
          'folder',
          'name',
          'size',
          'modified_us',
          'changed_us',
          'inode',
          'device',
          'is_folder',
          'book_id',
        ],
        where: "state = 'present'",
      },
      file_path: { columns: ['root_id', 'folder', 'name'], where: "state = 'present'", unique: true },
      file_missing_by_path: { columns: ['root_id', 'folder', 'name'], where: "state = 'missing'" },
      file_to_analyse: {
        columns: ['library_id', 'wanted_at desc', 'id'],
        where: "analysis = 'pending' and state = 'present'",
      },
      file_with_fault: { columns: ['library_id', 'fault_at', 'id'], where: 'fault_code is not null' },
      file_name_hash: { columns: ['name_hash'], where: "state = 'present'" },
    },
  },
  // Every fingerprint a book ever had stays, for ever.
  book_fingerprint: {
    columns: { kind: 'text', value: 'text', book_id: 'text', at: 'text' },
    primaryKey: ['kind', 'value', 'book_id'],
    foreignKeys: { book_fingerprint_book: ['book_id', 'book', 'cascade'] },
    indexes: { book_fingerprint_of: ['book_id'] },
  },
  // These are files beside books that say something of them.
  sidecar: {
    columns: {
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
    primaryKey: ['id'],
    foreignKeys: { sidecar_of_root: ['root_id', 'library_root', 'cascade'] },
    indexes: { sidecar_by_path: { columns: ['root_id', 'folder', 'name'], unique: true } },
  },
  page_index: {
    columns: { book_id: 'text', pages: 'bytes' },
    primaryKey: ['book_id'],
    foreignKeys: { page_index_book: ['book_id', 'book', 'cascade'] },
  },
  relink: {
    columns: {
      id: 'text',
      library_id: 'text',
      missing_book_id: 'text',
      present_book_id: 'text',
      status: 'text',
      at: 'text',
    },
    primaryKey: ['id'],
    unique: { relink_pair: ['missing_book_id', 'present_book_id'] },
    foreignKeys: {
      relink_missing: ['missing_book_id', 'book', 'cascade'],
      relink_present: ['present_book_id', 'book', 'cascade'],
    },
    indexes: { relink_of_library: ['library_id', 'at', 'id'] },
  },
}
