import type { ScanPreview } from '@carrel/api'
import type { Context } from '../../../context.ts'
import type { Database } from '../../../database/database.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import { nameOfRoot } from '../../../naming/grouping/grouping.ts'
import { newId } from '../../../platform/ids.ts'
import { extensionsOf } from '../extensions.ts'
import type { ScannedLibrary } from '../library.ts'
import type { WalkedFile } from '../walker/messages.ts'
import { walkLimited } from '../walker/run-walk.ts'
import type { GroupedFiles } from './grouper/messages.ts'
import { filesToGroup, tellStanding } from './files-to-group.ts'
import { insertPreview, selectVisibleSeries } from './queries.ts'
import { type Grouper, startGrouper } from './start-grouper.ts'

/** What is to be looked at: a library there is, or one that might be. */
export interface LibraryToPreview extends Pick<ScannedLibrary, 'grouping' | 'formats' | 'exclude'> {
  readonly id: string | undefined
  readonly roots: readonly { readonly id: string; readonly path: string }[]
}

/** Whoever asks, and whether they still do. */
export interface PreviewRequest {
  readonly viewer: Viewer
  readonly signal: AbortSignal
}

const endsWithinMs = 30_000
/** A look at a library without end takes in no more. */
const filesTaken = 200_000

/** What a scan would make of these folders, without making it. What it has not seen after half a minute is left out. */
export const previewScan = async (
  context: Pick<Context, 'db' | 'clock' | 'runLimited'>,
  library: LibraryToPreview,
  { viewer, signal }: PreviewRequest,
): Promise<ScanPreview> => {
  const { db, clock } = context
  using grouper = startGrouper({ signal })
  const rootNames = Object.fromEntries(library.roots.map(({ id, path }) => [id, nameOfRoot(path)]))
  await grouper.tell({ kind: 'begin', grouping: library.grouping, rootNames })
  if (library.id !== undefined) await tellStanding(db.readSlowly, library.id, grouper)
  const { totalFiles, isWhole } = await sendFiles(context, library, { grouper, signal })
  const grouped = await grouper.finish()
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
  const { series, bookCount, seriesCount, unreadFiles, advice } = grouped
  return {
    previewId,
    totalFiles,
    bookCount,
    truncated: !isWhole,
    unreadFiles,
    seriesCount,
    series: series.map((each) => ({ ...each, sampleBooks: [...each.sampleBooks] })),
    changes: libraryId !== undefined && isWhole ? await changesIn(db, viewer, grouped) : null,
    advice: [...advice],
  }
}

const changesIn = async (
  db: Database,
  viewer: Viewer,
  { booksMoved, seriesAdded, seriesEmptied, emptiedIds }: GroupedFiles,
): Promise<NonNullable<ScanPreview['changes']>> => ({
  booksMoved,
  seriesAdded,
  seriesEmptied,
  emptied: await selectVisibleSeries(db.readSlowly, viewer, emptiedIds),
})

interface GrouperOptions {
  readonly grouper: Grouper
  readonly signal: AbortSignal
}

/** All files below its roots go to whoever groups them, with what is known of each. */
const sendFiles = async (
  { db, clock, runLimited }: Pick<Context, 'db' | 'clock' | 'runLimited'>,
  library: LibraryToPreview,
  { grouper, signal }: GrouperOptions,
): Promise<{ totalFiles: number; isWhole: boolean }> => {
  const overdue = AbortSignal.timeout(endsWithinMs)
  let totalFiles = 0
  let taken = 0
  let isWhole = true
  const take = async (rootId: string, added: readonly WalkedFile[]): Promise<void> => {
    totalFiles += added.length
    const files = added
      .slice(0, filesTaken - taken)
      .map(([folder, name, , , , , , isFolder]) => ({ folder, name, isFolder: isFolder === 1 }))
    taken += files.length
    if (files.length === 0) return
    const stored = await filesToGroup(db.readSlowly, { libraryId: library.id, rootId }, files, clock())
    await grouper.tell({ kind: 'files', rootId, files: stored })
  }
  for (const { id: rootId, path } of library.roots) {
    try {
      const summary = await walkLimited(runLimited, {
        target: { rootPath: path, folder: '', exclude: library.exclude, extensions: extensionsOf(library.formats) },
        readStored: async () => ({ folders: [], isLast: true }),
        onChanges: ({ added }) => take(rootId, added),
        onProgress: () => undefined,
        signal: AbortSignal.any([signal, overdue]),
      })
      isWhole &&= summary.rootError === undefined
    } catch (error) {
      if (signal.aborted || !overdue.aborted) throw error
      isWhole = false
    }
  }
  return { totalFiles, isWhole: isWhole && taken === totalFiles }
}
