import type { Selectable } from 'kysely'
import type { WriteDb } from '../../database/database.ts'
import { insertMany, updateMany } from '../../database/many.ts'
import type { SeriesFields } from '../../formats/book-format.ts'
import { newId } from '../../platform/ids.ts'
import { seriesNameKeys } from '../../platform/name-keys.ts'
import { plainText, sortKey } from '../../platform/sort-key.ts'
import { inheritRatings } from '../books/books.ts'
import { indexSeries } from '../search-index/search-index.ts'
import {
  forgetFileLayers,
  type Layer,
  readLayers,
  recordShown,
  saveLayers,
  type SeriesShown,
  shownFields,
} from '../metadata/metadata.ts'
import { selectMergedKeys } from './merges/queries.ts'
import type { SeriesTables } from './table.ts'
import { forgetNames, keepNames, selectForRefresh, selectSeriesByKey } from './queries.ts'

/** What a scan knows of a series before it has opened a book. */
export interface SeriesToKeep {
  readonly key: string
  readonly title: string
  readonly path: string | null
}

export interface KeptSeries {
  readonly idOf: ReadonlyMap<string, string>
  readonly created: readonly string[]
}

/** The series of a library that have these keys, or that those have become part of; made where there are none yet. */
export const keepSeries = async (
  db: WriteDb,
  libraryId: string,
  wanted: readonly SeriesToKeep[],
  now: Date,
): Promise<KeptSeries> => {
  const byKey = new Map(wanted.map((each) => [each.key, each]))
  const keys = [...byKey.keys()]
  const own = await selectSeriesByKey(db, libraryId, keys)
  const known = new Map([...own, ...(await selectMergedKeys(db, libraryId, keys))])
  const rows = [...byKey.values()].filter(({ key }) => !known.has(key)).map((each) => newSeries(libraryId, each, now))
  await insertMany(db, 'series', rows)
  await keepNames(
    db,
    rows.map(({ id, name }) => ({ id, keys: seriesNameKeys([name]) })),
  )
  return {
    idOf: new Map([...known, ...rows.map(({ key, id }) => [key, id] as const)]),
    created: rows.map(({ id }) => id),
  }
}

export const newSeries = (libraryId: string, { key, title, path }: SeriesToKeep, now: Date) => {
  const at = now.toISOString()
  return {
    id: newId(now.getTime()),
    library_id: libraryId,
    key,
    name: title,
    path,
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
    book_count: 0,
    max_volume: null,
    max_chapter: null,
    volumes_owned: 0,
    ...textsOf({ title, path }),
    total_volume_count: null,
    first_book_id: null,
    cover_id: null,
    cover_version: 0,
    created_at: at,
    updated_at: at,
  }
}

/** Series that were gone, as they were: what is shown of them is worked out anew, of what is said of them and their books. */
export const restoreSeries = async (
  db: WriteDb,
  rows: readonly Selectable<SeriesTables['series']>[],
): Promise<void> => {
  await insertMany(
    db,
    'series',
    rows.map((row) => ({
      ...row,
      ...textsOf({ title: row.name, path: row.path }),
      title: row.name,
      sort_key: sortKey(row.name),
      metadata: '{}',
      book_count: 0,
      first_book_id: null,
    })),
  )
  await keepNames(
    db,
    rows.map(({ id, name }) => ({ id, keys: seriesNameKeys([name]) })),
  )
}

export interface RefreshedSeries {
  readonly id: string
  readonly libraryId: string
  readonly ageRating: number | null
  readonly bookCount: number
  readonly bookCountBefore: number
}

type SeriesRow = Awaited<ReturnType<typeof selectForRefresh>>[number]
type StoredLayer = { readonly series?: SeriesFields }

interface RefreshOptions {
  /** Whoever edits keeps the history of it. */
  readonly isEdit?: boolean
}

/**
 * Brings series up to date after their books have changed: how many there are, which is the first, what follows for
 * their rating, and what they are said to be by their first book and by what lies beside it.
 */
export const refreshSeries = async (
  db: WriteDb,
  seriesIds: readonly string[],
  now: Date,
  { isEdit = false }: RefreshOptions = {},
): Promise<readonly RefreshedSeries[]> => {
  if (seriesIds.length === 0) return []
  const rows = await selectForRefresh(db, seriesIds)
  const firstIds = rows.flatMap(({ first_book_id }) => first_book_id ?? [])
  const bookLayers = await readLayers<StoredLayer>(db, firstIds)
  const derived = rows.flatMap(({ id, first_book_id }) => derivedLayers(id, bookLayers.get(first_book_id ?? '') ?? []))
  await forgetFileLayers(db, seriesIds)
  await saveLayers(db, derived, now)
  const layers = await readLayers<SeriesShown>(db, seriesIds)
  const changes = rows.map((row) => ({ row, columns: shownColumns(row, shownFields(layers.get(row.id) ?? []), now) }))
  await updateMany(
    db,
    'series',
    refreshShape,
    changes.map(({ columns }) => columns),
  )
  await renameSeries(db, changes)
  await recordShown(
    db,
    'series',
    changes.map(({ row, columns }) => ({
      id: row.id,
      before: row.metadata,
      after: columns.metadata,
      source: isEdit || row.metadata === '{}' ? undefined : heardOf(layers.get(row.id) ?? []),
    })),
    now,
  )
  await indexSeries(
    db,
    {
      ids: rows.map(({ id }) => id),
      retitled: changes.filter(({ row, columns }) => row.title !== columns.title).map(({ row }) => row.id),
    },
    now,
  )
  await inheritRatings(
    db,
    changes.filter(({ row, columns }) => row.age_rating !== columns.age_rating).map(({ row }) => row.id),
  )
  return changes.map(({ row, columns }) => ({
    id: row.id,
    libraryId: row.library_id,
    ageRating: columns.age_rating,
    bookCount: columns.book_count,
    bookCountBefore: row.book_count,
  }))
}

/** Whose words a scan may have brought: of the sources that are read, the one that goes first. */
const heardOf = (layers: readonly Layer<unknown>[]): string =>
  layers
    .map(({ source }) => source)
    .filter((source) => source.startsWith('sidecar:') || source.startsWith('file:'))
    .sort()
    .at(-1) ?? 'path'

const derivedLayers = (seriesId: string, layers: readonly { source: string; fields: StoredLayer }[]) =>
  layers
    .filter(({ source, fields }) => source.startsWith('file:') && fields.series !== undefined)
    .map(({ source, fields }) => ({ entityId: seriesId, source, fields: fields.series ?? {} }))

/** Of those that go by other names than before. */
const renameSeries = async (
  db: WriteDb,
  changes: readonly {
    readonly row: SeriesRow
    readonly columns: { readonly title: string; readonly metadata: string }
  }[],
): Promise<void> => {
  const renamed = changes
    .filter(({ row, columns }) => row.title !== columns.title || row.metadata !== columns.metadata)
    .map(({ row, columns }) => ({ id: row.id, before: keysOf(row), keys: keysOf({ name: row.name, ...columns }) }))
    .filter(({ before, keys }) => before.join(' ') !== keys.join(' '))
  await forgetNames(
    db,
    renamed.map(({ id }) => id),
  )
  await keepNames(db, renamed)
}

const keysOf = ({ name, title, metadata }: Pick<SeriesRow, 'name' | 'title' | 'metadata'>): string[] => {
  const { alternateTitles = [] } = JSON.parse(metadata) as Pick<SeriesFields, 'alternateTitles'>
  return seriesNameKeys([name, title, ...alternateTitles.map((each) => each.title)])
}

const refreshShape = {
  keys: { id: 'text' },
  columns: {
    title: 'text',
    title_sort: 'text',
    title_text: 'text',
    title_sort_text: 'text',
    summary_text: 'text',
    publisher_text: 'text',
    language_text: 'text',
    path_text: 'text',
    total_volume_count: 'integer',
    sort_key: 'text',
    summary: 'text',
    publisher: 'text',
    year: 'integer',
    status: 'text',
    reading_direction: 'text',
    language: 'text',
    own_age_rating: 'integer',
    age_rating: 'integer',
    external_rating: 'real',
    metadata: 'text',
    book_count: 'integer',
    max_volume: 'integer',
    max_chapter: 'real',
    volumes_owned: 'integer',
    first_book_id: 'text',
    updated_at: 'text',
  },
} as const

interface Texts {
  readonly title: string
  readonly path: string | null
  readonly titleSort?: string | null
  readonly summary?: string | null
  readonly publisher?: string | null
  readonly language?: string | null
}

const textsOf = ({ title, path, titleSort, summary, publisher, language }: Texts) => ({
  title_text: plainText(title),
  title_sort_text: textOrNull(titleSort),
  summary_text: textOrNull(summary),
  publisher_text: textOrNull(publisher),
  language_text: textOrNull(language),
  path_text: textOrNull(path),
})

const textOrNull = (text: string | null | undefined): string | null => (text ? plainText(text) : (text ?? null))

export const shownColumns = (row: SeriesRow, shown: Partial<SeriesShown>, now: Date) => {
  const title = shown.title ?? row.name
  const own = shown.ageRating ?? null
  const metadata = JSON.stringify(shown)
  return {
    id: row.id,
    title,
    title_sort: shown.titleSort ?? null,
    sort_key: sortKey(shown.titleSort ?? title),
    summary: shown.summary ?? null,
    publisher: shown.publisher ?? null,
    year: shown.year ?? null,
    status: shown.status ?? null,
    reading_direction: shown.readingDirection ?? null,
    language: shown.language ?? null,
    own_age_rating: own,
    ...textsOf({ ...shown, title, path: row.path }),
    total_volume_count: shown.totalVolumeCount ?? null,
    age_rating: own ?? row.max_rating,
    external_rating: averageOf(shown.externalRatings ?? []),
    metadata,
    book_count: row.books ?? 0,
    max_volume: row.max_volume,
    max_chapter: row.max_chapter,
    volumes_owned: row.volumes ?? 0,
    first_book_id: row.first_book_id,
    updated_at: metadata === row.metadata && row.books === row.book_count ? row.updated_at : now.toISOString(),
  }
}

/** 1 to 100. */
const averageOf = (ratings: NonNullable<SeriesShown['externalRatings']>): number | null =>
  ratings.length === 0 ? null : Math.max(1, ratings.reduce((sum, { rating }) => sum + rating, 0) / ratings.length)
