import type { ScanPreview } from '@carrel/api'
import type { Context } from '../../../context.ts'
import type { Database } from '../../../database/database.ts'
import { newId } from '../../../platform/ids.ts'
import { sortKey } from '../../../platform/sort-key.ts'
import { extensionsOf } from '../extensions.ts'
import type { ScannedLibrary } from '../library.ts'
import { seriesPlaceOf } from '../../../catalogue/shown/shown.ts'
import { insertPreview } from './queries.ts'
import { selectBooksBeside } from '../queries.ts'
import { walkThroughGate } from '../walker/run-walk.ts'
import type { WalkedFile } from '../walker/messages.ts'

/** What is to be looked at: a library there is, or one that might be. */
export interface LibraryToPreview extends Pick<ScannedLibrary, 'grouping' | 'formats' | 'exclude'> {
  readonly id: string | undefined
  readonly roots: readonly { readonly id: string; readonly path: string }[]
}

const endsWithinMs = 30_000
const seriesShown = 500
const samplesShown = 5
/** A look at a library without end keeps no more than this in memory. */
const seriesKept = 200_000

interface PreviewedSeries {
  readonly title: string
  readonly path: string
  readonly rootId: string
  readonly folder: string
  readonly samples: string[]
  bookCount: number
}

/** What a scan would make of these folders, without making it. What it has not seen after half a minute is left out. */
export const previewScan = async (
  { db, clock, throughGate }: Pick<Context, 'db' | 'clock' | 'throughGate'>,
  library: LibraryToPreview,
): Promise<ScanPreview> => {
  const seen = new Map<string, PreviewedSeries>()
  const signal = AbortSignal.timeout(endsWithinMs)
  let totalFiles = 0
  let truncated = false
  const note = (rootId: string, found: WalkedFile): void => {
    totalFiles += 1
    truncated ||= !noteIn(seen, library, rootId, found)
  }
  for (const { id, path } of library.roots) {
    try {
      const summary = await walkThroughGate(throughGate, {
        target: { rootPath: path, folder: '', exclude: library.exclude, extensions: extensionsOf(library.formats) },
        readKnown: async () => ({ folders: [], isLast: true }),
        onChanges: ({ added }) => {
          for (const found of added) note(id, found)
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
  return { previewId, totalFiles, truncated: truncated || seen.size > seriesShown, series }
}

const noteIn = (
  seen: Map<string, PreviewedSeries>,
  library: LibraryToPreview,
  rootId: string,
  found: WalkedFile,
): boolean => {
  const [folder, name] = found
  const place = seriesPlaceOf(library, { folder, name })
  const known = seen.get(place.key)
  if (known) {
    known.bookCount += 1
    if (known.samples.length < samplesShown) known.samples.push(name)
    return true
  }
  if (seen.size >= seriesKept) return false
  seen.set(place.key, { title: place.title, path: place.path ?? folder, rootId, folder, samples: [name], bookCount: 1 })
  return true
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
