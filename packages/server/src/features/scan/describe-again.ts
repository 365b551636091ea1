import type { WriteDb } from '../../database/database.ts'
import type { Analysis } from '../../decoders/analyse.ts'
import type { SeriesPlace } from '../../naming/grouping/grouping-policy.ts'
import { plainText } from '../../platform/sort-key.ts'
import { describeBooks } from '../books/books.ts'
import { type BookShown, readLayers, recordShown, shownFields } from '../metadata/metadata.ts'
import { keepSeries } from '../series/series.ts'
import { bookPart, type DecidedNames, decidedNames, seriesPart, type StoredLayer } from './book-layers.ts'
import type { ScannedLibrary } from './library.ts'
import { bookNamesOf, type Place, seriesPlaceOf } from './naming.ts'
import { selectFilesOfBooks, selectLibrariesOfBooks, selectScannedLibrary } from './queries.ts'
import { refreshAll } from './refresh.ts'

/** What is shown of books, worked out anew from all that is said of them. */
export const describeAgain = async (
  db: WriteDb,
  { library, bookIds, analyses, sourceOf }: BooksToDescribe,
  now: Date,
): Promise<ReadonlySet<string>> => {
  const files = await selectFilesOfBooks(db, bookIds)
  const layers = await readLayers<StoredLayer>(db, bookIds)
  const described = files.map((file) => {
    const own = layers.get(file.book_id) ?? []
    const place = { folder: file.folder, name: file.name, isFolder: file.is_folder === 1 }
    const series = seriesPlaceOf(library, place, shownFields(own.map(seriesPart)).title)
    return { file, fields: shownFields(own.map(bookPart)), decided: decidedNames(own), place, series }
  })
  const kept = await keepSeries(
    db,
    library.id,
    described.map(({ series }) => series),
    now,
  )
  const touched = new Set<string>()
  const rows = described.map((each) => {
    const seriesId = kept.idOf.get(each.series.key) ?? each.file.series_id
    touched.add(seriesId).add(each.file.series_id)
    return describedColumns(library, each, { seriesId, analysis: analyses?.get(each.file.book_id), now })
  })
  await describeBooks(db, rows)
  const shown = rows.map(({ id, metadata }, at) => {
    const { metadata: before = '{}', analysed = 0 } = described[at]?.file ?? {}
    // What is read for the first time changes nothing that was known.
    return { id, before, after: metadata, source: analysed === 1 ? sourceOf?.(id) : undefined }
  })
  await recordShown(db, 'book', shown, now)
  return touched
}

interface Described {
  readonly file: Pick<
    Awaited<ReturnType<typeof selectFilesOfBooks>>[number],
    'book_id' | 'series_id' | 'analysed' | 'format' | 'page_count' | 'series_own_age_rating'
  >
  readonly fields: Partial<BookShown>
  readonly decided: DecidedNames
  readonly place: Place
  readonly series: SeriesPlace
}

interface Found {
  readonly seriesId: string
  readonly analysis: Analysis | undefined
  readonly now: Date
}

export const describedColumns = (
  library: ScannedLibrary,
  { file, fields, decided, place, series }: Described,
  { seriesId, analysis, now }: Found,
) => {
  const isNamedAsBefore = file.analysed === 0 && analysis && seriesId === file.series_id && !saysHowItIsCalled(fields)
  return {
    id: file.book_id,
    ...(!isNamedAsBefore && {
      series_id: seriesId,
      ...bookNamesOf(library, place, { ...fields, decided }, series.volumeHint),
    }),
    title_sort: fields.titleSort ?? null,
    summary: fields.summary ?? null,
    title_sort_text: textOrNull(fields.titleSort),
    summary_text: textOrNull(fields.summary),
    reading_direction: fields.readingDirection ?? null,
    own_age_rating: fields.ageRating ?? null,
    age_rating: fields.ageRating ?? file.series_own_age_rating,
    released: releaseDateOf(fields),
    book_type: fields.bookType ?? null,
    format: analysis?.format ?? file.format,
    page_count: analysis?.pageCount ?? file.page_count,
    analysed: analysis ? (1 as const) : file.analysed,
    metadata: JSON.stringify(fields),
    updated_at: now.toISOString(),
  }
}

const textOrNull = (text: string | undefined): string | null => (text === undefined ? null : plainText(text))

/** As far as it is said. */
const releaseDateOf = ({ year, month, day }: Partial<BookShown>): string | null => {
  if (year === undefined) return null
  const parts = [String(year).padStart(4, '0')]
  if (month !== undefined) parts.push(String(month).padStart(2, '0'))
  if (month !== undefined && day !== undefined) parts.push(String(day).padStart(2, '0'))
  return parts.join('-')
}

/** Without any of these the name of the file decides, as it did when the book was listed. */
const saysHowItIsCalled = ({ title, titleSort, volume, chapter, number, isSpecial }: Partial<BookShown>): boolean =>
  [title, titleSort, volume, chapter, number, isSpecial].some((each) => each !== undefined)

interface BooksToDescribe {
  readonly library: ScannedLibrary
  readonly bookIds: readonly string[]
  /** What has just been read in them. */
  readonly analyses?: ReadonlyMap<string, Analysis>
  /** Whose new words these are; absent: the history is kept elsewhere, or nothing new is said. */
  readonly sourceOf?: (bookId: string) => string
}

/** After somebody has said something of books: what is shown of them and of their series, in the same transaction. */
export const redescribeBooks = async (
  db: WriteDb,
  bookIds: readonly string[],
  now: Date,
): Promise<ReadonlySet<string>> => {
  const touched = new Set<string>()
  for (const [libraryId, of] of Map.groupBy(await selectLibrariesOfBooks(db, bookIds), (each) => each.library_id)) {
    const library = await selectScannedLibrary(db, libraryId)
    if (!library) continue
    const ids = of.map(({ id }) => id)
    for (const seriesId of await describeAgain(db, { library, bookIds: ids }, now)) touched.add(seriesId)
  }
  await refreshAll(db, touched, now, { isEdit: true })
  return touched
}
