import type { WriteDb } from '../../../database/database.ts'
import type { Analysis } from '../../../decoders/analyse.ts'
import type { Fault } from '../../../formats/book-format.ts'
import { queueCovers } from '../../covers/covers.ts'
import { forgetFileLayers, saveLayers } from '../../../catalogue/metadata/metadata.ts'
import { savePages } from '../../pages/pages.ts'
import type { ReadContent } from '../../../catalogue/shown/shown.ts'
import { noteKnownBooks } from '../../koreader/koreader.ts'
import { updateFiles } from '../files/queries.ts'
import { rememberFingerprints, selectCrashes } from '../queries.ts'

export type ToApply = { readonly bookId: string } & ({ readonly analysis: Analysis } | { readonly fault: Fault })

/** A file that has ended this many decoders is not opened again until somebody asks for it. */
export const crashesMax = 3

/** What `refresh` is due with. */
export interface ReadBooks {
  readonly books: readonly string[]
  readonly analyses: ReadonlyMap<string, ReadContent>
  readonly sourceOf: (bookId: string) => string
}

/** Writes down what was read in books. */
export const applyAnalyses = async (db: WriteDb, results: readonly ToApply[], now: Date): Promise<ReadBooks> => {
  const read = results.flatMap((each) => ('analysis' in each ? [each] : []))
  const failed = results.flatMap((each) => ('fault' in each ? [each] : []))
  await recordFaults(db, failed, now)
  if (read.length === 0) return { books: [], analyses: new Map(), sourceOf: () => sourceIn(undefined) }
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
  await queueCovers(
    db,
    read.filter(({ analysis }) => analysis.pageCount > 0 || analysis.format === 'epub').map(({ bookId }) => bookId),
    now,
  )
  return { books: [...analyses.keys()], analyses, sourceOf: (id) => sourceIn(analyses.get(id)) }
}

type AnalysedBook = { readonly bookId: string; readonly analysis: Analysis }

/** Whose words these are, as far as there are any. */
const sourceIn = (analysis: Analysis | undefined): string => analysis?.layers[0]?.source ?? 'path'

const recordFingerprints = async (db: WriteDb, read: readonly AnalysedBook[], now: Date): Promise<void> => {
  const at = now.toISOString()
  await updateFiles(
    db,
    [
      'analysis',
      'wanted_at',
      'fault_code',
      'fault_message',
      'fault_at',
      'crashes',
      'warnings',
      'file_hash',
      'content_hash',
      'pages_hash',
      'koreader_hash',
      'updated_at',
    ],
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
  const bookIds = read.map(({ bookId }) => bookId)
  await rememberFingerprints(db, bookIds)
  await noteKnownBooks(db, bookIds, now)
}

const recordFaults = async (
  db: WriteDb,
  failed: readonly { readonly bookId: string; readonly fault: Fault }[],
  now: Date,
): Promise<void> => {
  const at = now.toISOString()
  const crashesOf = await selectCrashes(
    db,
    failed.map(({ bookId }) => bookId),
  )
  await updateFiles(
    db,
    ['analysis', 'fault_code', 'fault_message', 'fault_at', 'crashes', 'wanted_at'],
    failed.map(({ bookId, fault }) => {
      const endedItsProcess = fault.code === 'crashed' || fault.code === 'timeout' || fault.code === 'limit'
      const crashes = (crashesOf.get(bookId) ?? 0) + (fault.code === 'crashed' ? 1 : 0)
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
