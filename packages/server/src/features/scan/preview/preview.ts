import { setImmediate } from 'node:timers/promises'
import type { GroupingAdvice, ScanPreview } from '@carrel/api'
import type { Context } from '../../../context.ts'
import type { Database } from '../../../database/database.ts'
import { newId } from '../../../platform/ids.ts'
import { sortKey } from '../../../platform/sort-key.ts'
import { extensionsOf } from '../extensions.ts'
import type { ScannedLibrary } from '../library.ts'
import { readLayers } from '../../../catalogue/metadata/metadata.ts'
import { type FilePath, groupingHints, seriesPlaceOf, type StoredLayer } from '../../../catalogue/shown/shown.ts'
import { adviseInSteps } from '../../../naming/grouping/advice/advise.ts'
import { asksBooks } from '../../../naming/grouping/grouping.ts'
import type { GroupingHints, SeriesPlace } from '../../../naming/grouping/grouping-policy.ts'
import { insertPreview } from './queries.ts'
import { selectBooksBeside, selectBooksNamed } from '../queries.ts'
import { bestFiles } from '../several-files/same-book.ts'
import { walkThroughGate } from '../walker/run-walk.ts'

/** What is to be looked at: a library there is, or one that might be. */
export interface LibraryToPreview extends Pick<ScannedLibrary, 'grouping' | 'formats' | 'exclude'> {
  readonly id: string | undefined
  readonly roots: readonly { readonly id: string; readonly path: string }[]
}

const endsWithinMs = 30_000
const seriesShown = 500
const samplesShown = 5
/** A look at a library without end keeps no more than this in memory. */
const filesKept = 200_000
const filesAtOnce = 200

interface PreviewedSeries {
  readonly title: string
  readonly path: string
  readonly rootId: string
  readonly folder: string
  readonly samples: string[]
  bookCount: number
}

interface SeenFile extends FilePath {
  readonly rootId: string
  readonly isFolder: boolean
}

/** What a scan would make of these folders, without making it. What it has not seen after half a minute is left out. */
export const previewScan = async (
  context: Pick<Context, 'db' | 'clock' | 'throughGate'>,
  library: LibraryToPreview,
): Promise<ScanPreview> => {
  const { db, clock } = context
  const { files, totalFiles, truncated } = await findFiles(context, library)
  const books = bestFiles(library, files)
  const { seen, unreadFiles } = await groupFiles(db, library, books)
  const shown = [...seen.values()]
    .sort((one, other) => (sortKey(one.title) < sortKey(other.title) ? -1 : 1))
    .slice(0, seriesShown)
  const was = await seriesBefore(db, library, shown)
  const now = clock()
  const previewId = newId(now.getTime())
  const { id: libraryId, grouping } = library
  if (libraryId !== undefined)
    await db.write((db) =>
      insertPreview(db, {
        id: previewId,
        library_id: libraryId,
        grouping: JSON.stringify(grouping),
        created_at: now.toISOString(),
      }),
    )
  const series = shown.map((each, at) => ({
    name: each.title,
    path: each.path,
    bookCount: each.bookCount,
    sampleBooks: each.samples,
    was: was[at] ?? null,
  }))
  const advice = await adviceFor(books)
  return { previewId, totalFiles, truncated: truncated || seen.size > seriesShown, unreadFiles, series, advice }
}

const findFiles = async (
  { throughGate }: Pick<Context, 'throughGate'>,
  library: LibraryToPreview,
): Promise<{ files: readonly SeenFile[]; totalFiles: number; truncated: boolean }> => {
  const files: SeenFile[] = []
  const signal = AbortSignal.timeout(endsWithinMs)
  let totalFiles = 0
  let truncated = false
  for (const { id: rootId, path } of library.roots) {
    try {
      const summary = await walkThroughGate(throughGate, {
        target: { rootPath: path, folder: '', exclude: library.exclude, extensions: extensionsOf(library.formats) },
        readKnown: async () => ({ folders: [], isLast: true }),
        onChanges: ({ added }) => {
          totalFiles += added.length
          for (const [folder, name, , , , , , isFolder] of added.slice(0, filesKept - files.length))
            files.push({ rootId, folder, name, isFolder: isFolder === 1 })
        },
        onProgress: () => undefined,
        signal,
      })
      truncated ||= summary.rootError !== undefined
    } catch (error) {
      if (!signal.aborted) throw error
      truncated = true
    }
  }
  return { files, totalFiles, truncated: truncated || totalFiles > files.length }
}

/** It groups as a scan does; between two batches others have their turn. */
const groupFiles = async (
  db: Database,
  library: LibraryToPreview,
  files: readonly SeenFile[],
): Promise<{ seen: ReadonlyMap<string, PreviewedSeries>; unreadFiles: number }> => {
  const seen = new Map<string, PreviewedSeries>()
  const asks = asksBooks(library.grouping)
  let unreadFiles = 0
  for (let from = 0; from < files.length; from += filesAtOnce) {
    const batch = files.slice(from, from + filesAtOnce)
    const hintsOf = asks && library.id !== undefined ? await readHints(db, batch) : new Map<string, GroupingHints>()
    for (const file of batch) {
      const hints = hintsOf.get(keyOf(file))
      if (asks && !hints) unreadFiles += 1
      noteIn(seen, seriesPlaceOf(library, file, hints), file)
    }
    await setImmediate()
  }
  return { seen, unreadFiles }
}

const keyOf = ({ rootId, folder, name }: Omit<SeenFile, 'isFolder'>): string => `${rootId}/${folder}${name}`

/** What is known of these files that have been read: what they say of their series. */
const readHints = async (db: Database, files: readonly SeenFile[]): Promise<ReadonlyMap<string, GroupingHints>> => {
  const hints = new Map<string, GroupingHints>()
  for (const [rootId, ofRoot] of Map.groupBy(files, (each) => each.rootId)) {
    const known = await selectBooksNamed(db.readSlowly, rootId, ofRoot)
    const read = known.filter(({ analysed }) => analysed === 1)
    const layers = await readLayers<StoredLayer>(
      db.readSlowly,
      read.map(({ id }) => id),
    )
    for (const { id, folder, name } of read)
      hints.set(keyOf({ rootId, folder, name }), groupingHints(layers.get(id) ?? []))
  }
  return hints
}

const noteIn = (seen: Map<string, PreviewedSeries>, place: SeriesPlace, { rootId, folder, name }: SeenFile): void => {
  const known = seen.get(place.key)
  if (!known) {
    seen.set(place.key, {
      title: place.title,
      path: place.path ?? folder,
      rootId,
      folder,
      samples: [name],
      bookCount: 1,
    })
    return
  }
  known.bookCount += 1
  if (known.samples.length < samplesShown) known.samples.push(name)
}

const adviceFor = async (files: readonly SeenFile[]): Promise<GroupingAdvice[]> => {
  const steps = adviseInSteps(files.map(({ folder, name }) => folder + name))
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    await setImmediate()
  }
}

/** The series in which the first book of each is now. */
const seriesBefore = async (
  db: Database,
  { id }: LibraryToPreview,
  shown: readonly PreviewedSeries[],
): Promise<(string | undefined)[]> => {
  if (id === undefined) return []
  const found = new Map<string, string>()
  for (const [rootId, ofRoot] of Map.groupBy(shown, (each) => each.rootId)) {
    const folders = [...new Set(ofRoot.map(({ folder }) => folder))]
    for (const book of await selectBooksBeside(db.readSlowly, rootId, folders))
      found.set(`${rootId}/${book.folder}${book.name}`, book.series_id)
  }
  return shown.map(({ rootId, folder, samples: [name = ''] }) => found.get(`${rootId}/${folder}${name}`))
}
