import type { WriteDb } from '../../database/database.ts'
import { updateMany } from '../../database/many.ts'
import type { Analysis } from '../../decoders/analyse.ts'
import type { BookFields, Fault } from '../../formats/book-format.ts'
import { plainText } from '../../platform/sort-key.ts'
import { describeBooks } from '../books/books.ts'
import { noteWantedCovers } from '../covers/covers.ts'
import { forgetFileLayers, type Layer, readLayers, saveLayers, shownFields } from '../metadata/metadata.ts'
import { savePages } from '../pages/pages.ts'
import { keepSeries } from '../series/series.ts'
import type { ScannedLibrary } from './library.ts'
import { bookNamesOf, seriesPlaceOf } from './naming.ts'
import { rememberFingerprints, selectFilesOfBooks } from './queries.ts'

export type ToApply = { readonly bookId: string } & ({ readonly analysis: Analysis } | { readonly fault: Fault })

/** A file that has ended this many decoders is not opened again until somebody asks for it. */
const crashesMax = 3

type StoredLayer = { readonly book?: BookFields; readonly series?: { readonly title?: string } }

/** Writes down what was read in books. Answers the series whose books have changed: `refreshAll` is due for them. */
export const applyAnalyses = async (
  db: WriteDb,
  library: ScannedLibrary,
  results: readonly ToApply[],
  now: Date,
): Promise<ReadonlySet<string>> => {
  const read = results.flatMap((each) => ('analysis' in each ? [each] : []))
  const failed = results.flatMap((each) => ('fault' in each ? [each] : []))
  await recordFaults(db, failed, now)
  if (read.length === 0) return new Set()
  await recordFingerprints(db, read, now)
  await savePages(
    db,
    read.map(({ bookId, analysis }) => ({ bookId, pages: analysis.pageIndex })),
  )
  await forgetFileLayers(
    db,
    read.map(({ bookId }) => bookId),
  )
  await saveLayers(
    db,
    read.flatMap(({ bookId, analysis }) =>
      analysis.layers.map(({ source, book, series }) => ({ entityId: bookId, source, fields: { book, series } })),
    ),
    now,
  )
  const analyses = new Map(read.map(({ bookId, analysis }) => [bookId, analysis]))
  const touched = await describeAgain(db, { library, bookIds: [...analyses.keys()], analyses }, now)
  await noteWantedCovers(
    db,
    read.filter(({ analysis }) => analysis.pageCount > 0 || analysis.format === 'epub').map(({ bookId }) => bookId),
    now,
  )
  return touched
}

type Read = { readonly bookId: string; readonly analysis: Analysis }

/** What is shown of books, worked out anew from all that is said of them. */
export const describeAgain = async (
  db: WriteDb,
  { library, bookIds, analyses }: BooksToDescribe,
  now: Date,
): Promise<ReadonlySet<string>> => {
  const files = await selectFilesOfBooks(db, bookIds)
  const layers = await readLayers<StoredLayer>(db, bookIds)
  const described = files.map((file) => {
    const own = layers.get(file.book_id) ?? []
    const fields = shownFields(own.map(bookPart))
    const place = { folder: file.folder, name: file.name, isFolder: file.is_folder === 1 }
    const series = seriesPlaceOf(library, place, shownFields(own.map(seriesPart)).title)
    return { file, fields, place, series }
  })
  const kept = await keepSeries(
    db,
    library.id,
    described.map(({ series }) => series),
    now,
  )
  const touched = new Set<string>()
  const rows = described.map(({ file, fields, place, series }) => {
    const seriesId = kept.idOf.get(series.key) ?? file.series_id
    const analysis = analyses?.get(file.book_id)
    touched.add(seriesId).add(file.series_id)
    const isNamedAsBefore = file.analysed === 0 && analysis && seriesId === file.series_id && !saysHowItIsCalled(fields)
    return {
      id: file.book_id,
      ...(!isNamedAsBefore && { series_id: seriesId, ...bookNamesOf(library, place, fields, series.volumeHint) }),
      title_sort: fields.titleSort ?? null,
      summary: fields.summary ?? null,
      title_sort_text: textOrNull(fields.titleSort),
      summary_text: textOrNull(fields.summary),
      reading_direction: fields.readingDirection ?? null,
      own_age_rating: fields.ageRating ?? null,
      age_rating: fields.ageRating ?? file.series_own_age_rating,
      released: releaseDateOf(fields),
      format: analysis?.format ?? file.format,
      page_count: analysis?.pageCount ?? file.page_count,
      analysed: analysis ? (1 as const) : file.analysed,
      metadata: JSON.stringify(fields),
      updated_at: now.toISOString(),
    }
  })
  await describeBooks(db, rows)
  return touched
}

const textOrNull = (text: string | undefined): string | null => (text === undefined ? null : plainText(text))

/** As far as it is said. */
const releaseDateOf = ({ year, month, day }: Partial<BookFields>): string | null => {
  if (year === undefined) return null
  const parts = [String(year).padStart(4, '0')]
  if (month !== undefined) parts.push(String(month).padStart(2, '0'))
  if (month !== undefined && day !== undefined) parts.push(String(day).padStart(2, '0'))
  return parts.join('-')
}

/** Without any of these the name of the file decides, as it did when the book was listed. */
const saysHowItIsCalled = ({ title, titleSort, volume, chapter, number, isSpecial }: Partial<BookFields>): boolean =>
  [title, titleSort, volume, chapter, number, isSpecial].some((each) => each !== undefined)

interface BooksToDescribe {
  readonly library: ScannedLibrary
  readonly bookIds: readonly string[]
  /** What has just been read in them. */
  readonly analyses?: ReadonlyMap<string, Analysis>
}

const bookPart = ({ source, fields }: Layer<StoredLayer>): Layer<BookFields> => ({ source, fields: fields.book ?? {} })
const seriesPart = ({ source, fields }: Layer<StoredLayer>) => ({ source, fields: fields.series ?? {} })

const recordFingerprints = async (db: WriteDb, read: readonly Read[], now: Date): Promise<void> => {
  const at = now.toISOString()
  await updateMany(
    db,
    'file',
    {
      keys: { book_id: 'text' },
      columns: {
        analysis: 'text',
        wanted_at: 'text',
        fault_code: 'text',
        fault_message: 'text',
        fault_at: 'text',
        crashes: 'integer',
        warnings: 'text',
        file_hash: 'text',
        content_hash: 'text',
        pages_hash: 'text',
        koreader_hash: 'text',
        updated_at: 'text',
      },
    },
    read.map(({ bookId, analysis: { fingerprints, warnings } }) => ({
      book_id: bookId,
      analysis: 'done' as const,
      wanted_at: '',
      fault_code: null,
      fault_message: null,
      fault_at: null,
      crashes: 0,
      warnings: warnings.length === 0 ? null : JSON.stringify(warnings),
      file_hash: fingerprints.file,
      content_hash: fingerprints.content,
      pages_hash: fingerprints.pages ?? null,
      koreader_hash: fingerprints.koreader ?? null,
      updated_at: at,
    })),
  )
  await rememberFingerprints(
    db,
    read.map(({ bookId }) => bookId),
  )
}

const recordFaults = async (
  db: WriteDb,
  failed: readonly { readonly bookId: string; readonly fault: Fault }[],
  now: Date,
): Promise<void> => {
  const at = now.toISOString()
  const files = new Map(
    (
      await selectFilesOfBooks(
        db,
        failed.map(({ bookId }) => bookId),
      )
    ).map((file) => [file.book_id, file]),
  )
  await updateMany(
    db,
    'file',
    {
      keys: { book_id: 'text' },
      columns: {
        analysis: 'text',
        fault_code: 'text',
        fault_message: 'text',
        fault_at: 'text',
        crashes: 'integer',
        wanted_at: 'text',
      },
    },
    failed.map(({ bookId, fault }) => {
      const endedItsProcess = fault.code === 'crashed' || fault.code === 'timeout' || fault.code === 'limit'
      const crashes = (files.get(bookId)?.crashes ?? 0) + (fault.code === 'crashed' ? 1 : 0)
      const isToBeTriedAgain = fault.code === 'crashed' && crashes < crashesMax
      return {
        book_id: bookId,
        analysis: isToBeTriedAgain
          ? ('pending' as const)
          : endedItsProcess
            ? ('quarantined' as const)
            : ('failed' as const),
        fault_code: fault.code,
        fault_message: fault.message,
        fault_at: at,
        crashes,
        wanted_at: '',
      }
    }),
  )
}
