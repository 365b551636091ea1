import type { Insertable } from 'kysely'
import type { Database } from '../src/database/database.ts'
import { insertMany } from '../src/database/many.ts'
import type { BookTables } from '../src/catalogue/shown/table.ts'
import { newId } from '../src/platform/ids.ts'
import { sortKey } from '../src/platform/text/sort-key.ts'

const at = '2026-11-01T10:00:00.000Z'

export const addShelf = async (db: Database, seriesName = 'Nemo'): Promise<{ libraryId: string; seriesId: string }> => {
  const libraryId = newId()
  await db.write((db) =>
    insertMany(db, 'library', [
      {
        id: libraryId,
        name: `Library of ${seriesName}`,
        sort_key: sortKey(seriesName),
        description: null,
        grouping: '{}',
        numbering: 'file_order',
        title_from: 'filename',
        formats: null,
        exclude: '[]',
        reading_direction: 'ltr',
        cron: null,
        time_zone: null,
        watch: 0,
        status: 'available',
        book_count: 0,
        series_count: 0,
        last_scanned_at: null,
        deleted_at: null,
        created_at: at,
        updated_at: at,
      },
    ]),
  )
  return { libraryId, seriesId: await addSeriesTo(db, libraryId, seriesName) }
}

export const addSeriesTo = async (db: Database, libraryId: string, title: string): Promise<string> => {
  const id = newId()
  await db.write((db) =>
    insertMany(db, 'series', [
      {
        id,
        library_id: libraryId,
        key: id,
        name: title,
        path: null,
        title,
        title_sort: null,
        sort_key: sortKey(title),
        summary: null,
        publisher: null,
        year: null,
        status: null,
        reading_direction: null,
        language: null,
        own_age_rating: null,
        age_rating: null,
        metadata: '{}',
        locks: '[]',
        book_count: 1,
        max_volume: null,
        max_chapter: null,
        volumes_owned: 0,
        first_book_id: null,
        first_released: null,
        title_text: title,
        cover_id: null,
        cover_version: 0,
        created_at: at,
        updated_at: at,
      },
    ]),
  )
  return id
}

export const addBooksTo = async (
  db: Database,
  { libraryId, seriesId }: { readonly libraryId: string; readonly seriesId: string },
  count: number,
  more: Partial<Insertable<BookTables['book']>> = {},
): Promise<string[]> => {
  const ids = Array.from({ length: count }, () => newId())
  await db.write((db) =>
    insertMany(
      db,
      'book',
      ids.map((id, index) => ({
        id,
        library_id: libraryId,
        series_id: seriesId,
        state: 'present' as const,
        missing_since: null,
        title: `No. ${index + 1}`,
        title_sort: null,
        sort_key: sortKey(`No. ${index + 1}`),
        position_key: sortKey(`No. ${index + 1}`),
        number: index + 1,
        number_text: String(index + 1),
        volume: null,
        chapter: null,
        is_special: 0 as const,
        file_sort_key: '',
        title_text: `no. ${index + 1}`,
        path_text: `no. ${index + 1}.cbz`,
        summary: null,
        reading_direction: null,
        own_age_rating: null,
        age_rating: null,
        format: 'cbz' as const,
        size: 1000,
        page_count: 200,
        analysed: 1 as const,
        metadata: '{}',
        locks: '[]',
        cover_id: null,
        cover_version: 0,
        placeholder: null,
        created_at: at,
        updated_at: at,
        ...more,
      })),
    ),
  )
  return ids
}
