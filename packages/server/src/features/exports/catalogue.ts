import {
  type BookExportField,
  bookExportFields,
  type ExportFieldCatalogResponse,
  type ExportFieldDto,
  exportKeyOf,
  type ExportKeys,
  type ExternalIdDto,
  fieldsOfBooks,
  fieldsOfSeries,
  type MetadataField,
  type MetadataFields,
  type Permission,
  type RowsName,
  type SeriesExportField,
  seriesExportFields,
  type ShownRows,
} from '@carrel/api'
import type { BookToExport, SeriesToExport } from './content/batches.ts'

export type Value = string | number | boolean | null | readonly string[]

/** It is a column that an export can have of a series or a book. */
export interface Field<Subject> {
  readonly label: string
  readonly multiValue?: true
  readonly userSpecific?: true
  /** The column is always there, and comes first. */
  readonly isAnchor?: true
  /** A caller needs this permission as well. */
  readonly needs?: Permission
  readonly of: (subject: Subject) => Value
}

type RowTexts = { readonly [Name in RowsName]: (row: ShownRows[Name]) => string }
const rowTexts: RowTexts = {
  authors: ({ name, role = null }) => (role === null ? name : `${name} (${role})`),
  alternateTitles: ({ title }) => title,
  externalIds: ({ source, id }) => `${source}:${id}`,
  externalLinks: ({ url }) => url,
  externalRatings: ({ source, rating }) => `${source}: ${rating}`,
  awards: ({ name }) => name,
}

interface Described {
  readonly shown: object
  readonly metadata: object
  readonly externalIds: readonly ExternalIdDto[]
}

type Values = Readonly<Record<string, unknown>>

const valueOf = (name: string, { column }: MetadataField, { shown, metadata, externalIds }: Described): unknown => {
  if (name === 'externalIds') return externalIds
  return (column && name in shown ? (shown as Values) : (metadata as Values))[name]
}

/** The columns of all fields of metadata that are exported. */
const fieldsOf = <Fields extends MetadataFields>(fields: Fields) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      field.export === undefined ? [] : [[exportKeyOf(name, field), columnOf(name, field, field.export)] as const],
    ),
  ) as Readonly<Record<keyof ExportKeys<Fields>, Field<Described>>>

const columnOf = (name: string, field: MetadataField, label: string): Field<Described> => {
  if (field.kind !== 'rows')
    return {
      label,
      ...(field.kind === 'words' && { multiValue: true }),
      of: (subject) => valueOf(name, field, subject) as Value,
    }
  const text = rowTexts[field.rows] as (row: unknown) => string
  return { label, multiValue: true, of: (subject) => (valueOf(name, field, subject) as readonly unknown[]).map(text) }
}

const percent = (share: number): number => Math.round(share * 1000) / 10

export const seriesCatalogue: Readonly<Record<SeriesExportField, Field<SeriesToExport>>> = {
  series_name: { label: 'Series', isAnchor: true, of: ({ shown }) => shown.title },
  series_id: { label: 'Series id', of: ({ shown }) => shown.id },
  library_id: { label: 'Library id', of: ({ shown }) => shown.libraryId },
  library_name: { label: 'Library', of: ({ shown }) => shown.libraryName },
  path: { label: 'Path', of: ({ shown }) => shown.path ?? null },
  created_at: { label: 'Added', of: ({ shown }) => shown.createdAt },
  updated_at: { label: 'Changed', of: ({ shown }) => shown.updatedAt },
  ...fieldsOf(fieldsOfSeries),
  collections: {
    label: 'Collections',
    multiValue: true,
    needs: 'collections:read',
    of: ({ collections }) => collections,
  },
  actual_book_count: { label: 'Books', of: ({ shown }) => shown.bookCount },
  missing: { label: 'Missing numbers', multiValue: true, of: ({ gaps }) => missingOf(gaps) },
  unread_book_count: { label: 'Unread books', userSpecific: true, of: ({ shown }) => shown.unreadCount },
  progress: {
    label: 'Read, in percent of its books',
    userSpecific: true,
    of: ({ shown: { bookCount, unreadCount } }) =>
      bookCount === 0 ? 0 : percent((bookCount - unreadCount) / bookCount),
  },
  user_rating: { label: 'My rating', userSpecific: true, of: ({ opinion }) => opinion?.rating ?? null },
  user_notes: { label: 'My notes', userSpecific: true, of: ({ opinion }) => opinion?.notes ?? null },
  want_to_read: { label: 'I want to read it', userSpecific: true, of: ({ shown }) => shown.wantToRead },
  community_avg_rating: { label: 'Rating of all readers', of: ({ communityRating }) => communityRating },
}

const missingOf = (gaps: SeriesToExport['gaps']): string[] => {
  const texts = (missing: readonly { readonly from: number; readonly to: number }[] = [], before = '') =>
    missing.map(({ from, to }) => `${before}${from === to ? from : `${from}–${to}`}`)
  return [...texts(gaps?.volumes?.missing, 'v'), ...texts(gaps?.numbers?.missing)]
}

export const bookCatalogue: Readonly<Record<BookExportField, Field<BookToExport>>> = {
  book_name: { label: 'Book', isAnchor: true, of: ({ shown }) => shown.title },
  book_id: { label: 'Book id', of: ({ shown }) => shown.id },
  series_id: { label: 'Series id', of: ({ shown }) => shown.seriesId },
  series_name: { label: 'Series', of: ({ shown }) => shown.seriesName },
  library_id: { label: 'Library id', of: ({ shown }) => shown.libraryId },
  library_name: { label: 'Library', of: ({ shown }) => shown.libraryName },
  file_name: { label: 'File', of: ({ shown }) => shown.path?.replace(/^.*\//s, '') ?? null },
  file_path: { label: 'Path', of: ({ shown }) => shown.path ?? null },
  file_size: { label: 'Size in bytes', of: ({ shown }) => shown.fileSize },
  book_format: { label: 'Format', of: ({ shown }) => shown.fileFormat },
  page_count: { label: 'Pages', of: ({ shown }) => shown.pageCount },
  number: { label: 'Number', of: ({ shown }) => shown.number },
  volume: { label: 'Volume', of: ({ shown }) => shown.volume },
  chapter: { label: 'Chapter', of: ({ shown }) => shown.chapter },
  created_at: { label: 'Added', of: ({ shown }) => shown.createdAt },
  updated_at: { label: 'Changed', of: ({ shown }) => shown.updatedAt },
  ...fieldsOf(fieldsOfBooks),
  read_lists: { label: 'Read lists', multiValue: true, needs: 'readlists:read', of: ({ readLists }) => readLists },
  progress: { label: 'Read, in percent', userSpecific: true, of: ({ shown }) => progressOf(shown.readProgress) },
  current_page: { label: 'At page', userSpecific: true, of: ({ shown }) => shown.readProgress?.currentPage ?? null },
  completed: { label: 'Read', userSpecific: true, of: ({ shown }) => shown.readProgress?.completed ?? false },
  started_at: { label: 'Begun', userSpecific: true, of: ({ shown }) => shown.readProgress?.startedAt ?? null },
  completed_at: { label: 'Finished', userSpecific: true, of: ({ shown }) => shown.readProgress?.completedAt ?? null },
  user_rating: { label: 'My rating', userSpecific: true, of: ({ opinion }) => opinion?.rating ?? null },
  user_notes: { label: 'My notes', userSpecific: true, of: ({ opinion }) => opinion?.notes ?? null },
  want_to_read: { label: 'I want to read it', userSpecific: true, of: ({ shown }) => shown.wantToRead },
}

const progressOf = (progress: BookToExport['shown']['readProgress']): number => {
  if (!progress) return 0
  if (progress.completed) return 100
  return percent(progress.progressPercentage ?? 0)
}

/** The order is the one asked for; columns that are always there come first. */
export const withAnchor = <Key extends string>(
  catalogue: Readonly<Record<Key, Field<never>>>,
  keys: readonly Key[],
): Key[] => {
  const anchors = (Object.keys(catalogue) as Key[]).filter((key) => catalogue[key].isAnchor)
  return [...anchors, ...keys.filter((key) => !anchors.includes(key))]
}

const shown = <Key extends string>(
  keys: readonly Key[],
  catalogue: Readonly<Record<Key, Field<never>>>,
): ExportFieldDto[] =>
  keys.map((key) => {
    const { label, multiValue = false, userSpecific = false, isAnchor = false } = catalogue[key]
    return { key, label, multiValue, userSpecific, isAnchor }
  })

/** A language model can use these. */
const llmSelect: readonly SeriesExportField[] = [
  'series_name',
  'summary',
  'authors',
  'genres',
  'tags',
  'year',
  'status',
  'language',
  'alternate_titles',
  'actual_book_count',
  'progress',
  'user_rating',
  'user_notes',
  'want_to_read',
]
const llmSelectBooks: readonly BookExportField[] = [
  'book_name',
  'series_name',
  'number',
  'summary',
  'authors',
  'genres',
  'tags',
  'year',
  'page_count',
  'progress',
  'completed_at',
  'user_rating',
  'user_notes',
]

export const exportCatalogueOf = (): ExportFieldCatalogResponse => ({
  fields: shown(seriesExportFields, seriesCatalogue),
  bookFields: shown(bookExportFields, bookCatalogue),
  presets: { llmSelect: [...llmSelect], llmSelectBooks: [...llmSelectBooks] },
})
