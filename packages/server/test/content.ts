import type { FileFormat } from '@carrel/api'
import type { Insertable, Selectable } from 'kysely'
import type { Database, WriteDb } from '../src/database/database.ts'
import { insertMany } from '../src/database/many.ts'
import type { Schema } from '../src/database/schema.ts'
import { indexDocuments } from '../src/catalogue/search-index/search-index.ts'
import { seriesNameKeys } from '../src/platform/text/name-keys.ts'
import { newId } from '../src/platform/ids.ts'
import { plainText, sortKey } from '../src/platform/text/sort-key.ts'
import { writersOf } from '../src/catalogue/terms/terms.ts'

type LibraryRow = Selectable<Schema['library']>
type SeriesRow = Selectable<Schema['series']>
type BookRow = Selectable<Schema['book']>
type FileRow = Selectable<Schema['file']>

export interface AddedLibrary {
  readonly id: string
  readonly rootId: string
  readonly name: string
  readonly path: string
}

export interface AddedSeries {
  readonly id: string
  readonly title: string
  readonly library: AddedLibrary
}

const at = '2026-11-01T10:00:00.000Z'

/** A library as if it had been created and scanned; `row` says what is not as usual. */
export const addLibrary = async (
  db: Database,
  {
    path = '/data/manga',
    rootId = newId(),
    ...row
  }: Partial<LibraryRow> & { readonly path?: string; readonly rootId?: string } = {},
): Promise<AddedLibrary> => {
  const name = row.name ?? 'Manga'
  const id = row.id ?? newId()
  const library: Insertable<Schema['library']> = {
    id,
    name,
    sort_key: sortKey(name),
    description: null,
    grouping: '{"policy":"folder","config":{}}',
    numbering: 'smart',
    title_from: 'smart',
    formats: null,
    exclude: '[]',
    reading_direction: 'ltr',
    cron: null,
    time_zone: null,
    watch: 0,
    status: 'available',
    book_count: 0,
    series_count: 0,
    last_scanned_at: at,
    deleted_at: null,
    created_at: at,
    updated_at: at,
    ...row,
  }
  const fileRow = {
    position: 0,
    status: 'available' as const,
    device: null,
    inode: null,
    checked_at: null,
    removed_at: null,
  }
  await db.write(async (db) => {
    await insertMany(db, 'library', [library])
    await insertMany(db, 'library_root', [
      { id: rootId, library_id: id, path, path_text: plainText(`${path}/`), ...fileRow },
    ])
  })
  return { id, rootId, name, path }
}

export type SeriesOptions = Partial<SeriesRow> & { readonly sharingTags?: readonly string[] }

/** Series without books, which nobody sees until they have some. */
export const addManySeries = async (
  db: Database,
  library: AddedLibrary,
  options: readonly SeriesOptions[],
): Promise<AddedSeries[]> => {
  const made = options.map(({ sharingTags = [], ...row }, index) => {
    const series = seriesRow(library, row, index)
    return { series, tags: sharingTags.map((tag_id) => ({ series_id: series.id, tag_id })) }
  })
  const rows = made.map(({ series }) => series)
  await db.write(async (db) => {
    await insertMany(db, 'series', rows)
    await insertMany(
      db,
      'series_name',
      rows.flatMap(({ id, name, title }) => seriesNameKeys([name, title]).map((key) => ({ series_id: id, key }))),
    )
    await insertMany(
      db,
      'series_sharing_tag',
      made.flatMap(({ tags }) => tags),
    )
    await indexDocuments(
      db,
      'series',
      rows.map(({ id }) => id),
    )
  })
  return rows.map(({ id, title }) => ({ id, title, library }))
}

/**
 * There are so many that only their rows are written: they are listed by their names, and no text search finds them.
 */
export const addListedSeries = async (
  db: Database,
  library: AddedLibrary,
  titles: readonly string[],
): Promise<void> => {
  const atOnce = 5000
  for (let from = 0; from < titles.length; from += atOnce) {
    const part = titles.slice(from, from + atOnce)
    const rows = part.map((title, index) => seriesRow(library, { title, book_count: 1 }, from + index))
    await db.write((db) => insertMany(db, 'series', rows))
  }
  const counted = { series_count: titles.length }
  await db.write((db) => db.updateTable('library').set(counted).where('id', '=', library.id).execute())
}

const folded = (text: string | null | undefined): string | null => (typeof text === 'string' ? plainText(text) : null)

/** It works out the column of a row whose metadata names its authors. */
const writersColumn = (metadata = '{}'): string | null => {
  const { authors } = JSON.parse(metadata) as { readonly authors?: readonly { readonly name: string }[] }
  return writersOf(authors)
}

const seriesTexts = (row: Partial<SeriesRow> & { readonly title: string }) => ({
  title_text: plainText(row.title),
  title_sort_text: folded(row.title_sort),
  summary_text: folded(row.summary),
  publisher_text: folded(row.publisher),
  original_title_text: folded(row.original_title),
  language_text: folded(row.language),
  path_text: folded(row.path),
})

export const addSeries = async (
  db: Database,
  library: AddedLibrary,
  options: SeriesOptions = {},
): Promise<AddedSeries> => {
  const [series] = await addManySeries(db, library, [options])
  if (!series) throw new Error('No series was added')
  return series
}

const seriesRow = (library: AddedLibrary, row: Partial<SeriesRow>, index: number) => {
  const title = row.title ?? `Series ${index + 1}`
  return {
    id: newId(),
    library_id: library.id,
    key: title,
    name: title,
    path: `${library.path}/${title}`,
    title,
    title_sort: null,
    sort_key: sortKey(row.title_sort ?? title),
    summary: null,
    publisher: null,
    year: null,
    status: null,
    reading_direction: null,
    language: null,
    own_age_rating: row.age_rating ?? null,
    age_rating: null,
    metadata: '{}',
    writers: writersColumn(row.metadata),
    locks: '[]',
    book_count: 0,
    max_volume: null,
    max_chapter: null,
    volumes_owned: 0,
    ...seriesTexts({ path: `${library.path}/${title}`, ...row, title }),
    total_volume_count: null,
    community_rating: null,
    external_rating: null,
    first_book_id: null,
    first_released: null,
    cover_id: null,
    cover_version: 0,
    created_at: at,
    updated_at: at,
    ...row,
  }
}

export type BookOptions = Partial<BookRow> & {
  /** The name of its file in the folder of its series. */
  readonly fileName?: string
  readonly file?: Partial<FileRow>
}

/** Books with a file each, and what is counted of them in their series and library. It returns their ids in order. */
export const addBooks = async (
  db: Database,
  { id: seriesId, title, library }: AddedSeries,
  options: readonly BookOptions[],
): Promise<string[]> => {
  const made = options.map((each, index) => bookRows({ seriesId, seriesTitle: title, library }, each, index))
  await db.write(async (db) => {
    await insertMany(
      db,
      'book',
      made.map(({ book }) => book),
    )
    await insertMany(
      db,
      'file',
      made.map(({ file }) => file),
    )
    await indexDocuments(
      db,
      'book',
      made.map(({ book }) => book.id),
    )
    await recount(db, seriesId, library.id)
  })
  return made.map(({ book }) => book.id)
}

interface BookParent {
  readonly seriesId: string
  readonly seriesTitle: string
  readonly library: AddedLibrary
}

const bookRows = ({ seriesId, seriesTitle, library }: BookParent, options: BookOptions, index: number) => {
  const { fileName, file = {}, ...row } = options
  const number = row.number ?? index + 1
  const title = row.title ?? `${seriesTitle} ${number}`
  const id = row.id ?? newId()
  const format: FileFormat = row.format ?? 'cbz'
  const size = row.size ?? 1000
  const book = {
    id,
    library_id: library.id,
    series_id: seriesId,
    state: 'present' as const,
    missing_since: null,
    title,
    title_sort: null,
    sort_key: sortKey(row.title_sort ?? title),
    position_key: sortKey(String(number)),
    file_sort_key: sortKey(fileName ?? `${title}.${format}`),
    title_text: plainText(title),
    title_sort_text: folded(row.title_sort),
    summary_text: folded(row.summary),
    path_text: plainText(`${seriesTitle}/${fileName ?? `${title}.${format}`}`),
    book_type: null,
    released: null,
    number,
    number_sort: number,
    number_text: String(number),
    volume: null,
    chapter: null,
    is_special: 0 as const,
    summary: null,
    reading_direction: null,
    own_age_rating: row.age_rating ?? null,
    age_rating: null,
    format,
    size,
    page_count: 20,
    analysed: 1 as const,
    metadata: '{}',
    writers: writersColumn(row.metadata),
    locks: '[]',
    cover_id: null,
    cover_version: 0,
    placeholder: null,
    created_at: at,
    updated_at: at,
    ...row,
  }
  return { book, file: fileRow(book, fileName ?? `${title}.${format}`, { seriesTitle, library }, file) }
}

const fileRow = (
  book: Pick<BookRow, 'id' | 'state' | 'format' | 'size'>,
  name: string,
  { seriesTitle, library }: Pick<BookParent, 'seriesTitle' | 'library'>,
  more: Partial<FileRow>,
) => ({
  id: newId(),
  book_id: book.id,
  library_id: library.id,
  root_id: library.rootId,
  folder: `${seriesTitle}/`,
  name,
  size: book.size,
  modified_us: Date.parse(at) * 1000,
  changed_us: Date.parse(at) * 1000,
  inode: 0,
  device: 0,
  is_folder: book.format === 'folder' ? (1 as const) : (0 as const),
  state: book.state === 'present' ? ('present' as const) : ('missing' as const),
  analysis: 'done' as const,
  wanted_at: '',
  fault_code: null,
  fault_message: null,
  fault_at: null,
  crashes: 0,
  warnings: null,
  file_hash: `f${book.id.replaceAll('-', '')}`,
  content_hash: `c${book.id.replaceAll('-', '')}`,
  pages_hash: null,
  koreader_hash: null,
  created_at: at,
  updated_at: at,
  ...more,
})

const recount = async (db: WriteDb, seriesId: string, libraryId: string): Promise<void> => {
  const present = () => db.selectFrom('book').where('state', '=', 'present')
  const { countAll, max, count } = db.fn
  await db
    .updateTable('series')
    .set({
      book_count: present().where('series_id', '=', seriesId).select(countAll<number>().as('n')),
      max_volume: present().where('series_id', '=', seriesId).select(max('volume').as('n')),
      max_chapter: present().where('series_id', '=', seriesId).select(max('chapter').as('n')),
      volumes_owned: present().where('series_id', '=', seriesId).select(count<number>('volume').distinct().as('n')),
      first_released: present().where('series_id', '=', seriesId).select(db.fn.min('released').as('n')),
      first_book_id: present()
        .where('series_id', '=', seriesId)
        .select('id')
        .orderBy('position_key')
        .orderBy('id')
        .limit(1),
    })
    .where('id', '=', seriesId)
    .execute()
  await db
    .updateTable('library')
    .set({
      book_count: present().where('library_id', '=', libraryId).select(countAll<number>().as('n')),
      series_count: db
        .selectFrom('series')
        .where('library_id', '=', libraryId)
        .where('book_count', '>', 0)
        .select(countAll<number>().as('n')),
    })
    .where('id', '=', libraryId)
    .execute()
}
