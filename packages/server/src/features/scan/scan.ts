import type { HeldChanges, HeldItem, ListAnswer, Relink, ScanStatus } from '@carrel/api'
import type { Database, ReadDb, WriteDb } from '../../database/database.ts'
import { AppError, notFound } from '../../platform/errors.ts'
import type { Paging } from '../../platform/paging.ts'
import { cancelTask, enqueue } from '../../tasks/queue.ts'
import type { ScanOfLibraries } from '../libraries/libraries.ts'
import { moveHistory } from '../reading/reading.ts'
import { analyseLibraries, holdAnalyses } from './analysis/analyse-library.ts'
import { markBooksMissing } from './removals/removals.ts'
import { relinkMissing } from './relinks/relink-missing.ts'
import { takeOverFile } from './relinks/relink.ts'
import { replaceNewerSeries } from './relinks/succession.ts'
import {
  countRelinks,
  deleteRelink,
  selectNames,
  selectRelink,
  selectRelinks,
  updateRelink,
} from './relinks/queries.ts'
import {
  countScans,
  countToAnalyse,
  countVisibleToAnalyse,
  markFilesMissing,
  selectScans,
  updateScan,
  markFilesRequested,
} from './queries.ts'
import { deleteHeldChange, selectHeld, selectHeldBookIds, selectHeldItems } from './held/queries.ts'
import { seesWholeLibraries, type Viewer } from '../../catalogue/visibility/visibility.ts'
import { selectPreview } from './preview/queries.ts'
import type { ScanTables } from './table.ts'
import { readListsAgain } from './read-again/read-lists-again.ts'
import { startScan } from './start-scan.ts'
import { purgeMissing, regroupLibrary } from './tasks.ts'

export { noteCostly } from './costly/note-costly.ts'
export { noteSentFile } from './sent/note-sent-file.ts'
export { readAgain } from './analysis/read-again.ts'
export { type ScanOptions, startScan } from './start-scan.ts'

export const cancelScan = (db: Database, libraryId: string, now: Date): Promise<void> =>
  db.write(async (db) => {
    const [newest] = await selectScans(db, libraryId, { limit: 1, offset: 0 })
    if (!newest?.task_id || (newest.status !== 'pending' && newest.status !== 'processing'))
      throw new AppError('conflict', 'No scan of this library is running.', { reason: 'not_running' })
    await cancelTask(db, newest.task_id, now)
    await updateScan(db, newest.id, { status: 'cancelled', phase: null, completed_at: now.toISOString() })
  })

export const listScans = async (
  db: Database,
  viewer: Viewer,
  libraryId: string,
  { paging, now }: { readonly paging: Paging; readonly now: Date },
): Promise<ListAnswer<ScanStatus>> => {
  const total = await countScans(db.read, libraryId)
  const rows = paging.offset < total ? await selectScans(db.read, libraryId, paging) : []
  return { total, data: rows.map((row) => toldTo(viewer, toScan(row, now))) }
}

/** The newest, with what is still to be read after it. */
export const latestScan = async (
  db: Database,
  viewer: Viewer,
  libraryId: string,
  now: Date,
): Promise<ScanStatus | undefined> => {
  const [row] = await selectScans(db.read, libraryId, { limit: 1, offset: 0 })
  if (!row) return undefined
  const analysisPending = seesWholeLibraries(viewer)
    ? await countToAnalyse(db.readSlowly, libraryId)
    : await countVisibleToAnalyse(db.readSlowly, viewer, libraryId)
  return { ...toldTo(viewer, toScan(row, now)), analysisPending }
}

/** Somebody who sees only a part of a library learns that it is scanned, and gets no numbers. */
const toldTo = (viewer: Viewer, scan: ScanStatus): ScanStatus =>
  seesWholeLibraries(viewer)
    ? scan
    : {
        ...scan,
        filesTotal: 0,
        filesProcessed: 0,
        booksAdded: 0,
        booksUpdated: 0,
        booksMoved: 0,
        booksMissing: 0,
        booksRestored: 0,
        seriesAdded: 0,
        errorCount: 0,
        errors: [],
        ratePerSecond: 0,
        secondsLeft: null,
      }

/** Files that are as they were need no time, so that the rest is reckoned by those that were written. */
const toScan = (row: ScanRow, now: Date): ScanStatus => {
  const startedMs = row.started_at === null ? 0 : Date.parse(row.started_at)
  const endedMs = row.completed_at === null ? now.getTime() : Date.parse(row.completed_at)
  const seconds = (endedMs - startedMs) / 1000
  const isApplying = row.status === 'processing' && row.phase === 'applying'
  const written = row.books_added + row.books_updated + row.books_moved + row.books_restored
  const done = isApplying ? written : row.files_processed
  const ratePerSecond = row.started_at === null || seconds <= 0 ? 0 : Math.round(done / seconds)
  const left = row.files_total - row.files_processed
  return {
    id: row.id,
    taskId: row.task_id,
    libraryId: row.library_id,
    mode: row.mode,
    status: row.status,
    phase: row.phase,
    filesTotal: row.files_total,
    filesProcessed: row.files_processed,
    booksAdded: row.books_added,
    booksUpdated: row.books_updated,
    booksMoved: row.books_moved,
    booksMissing: row.books_missing,
    booksRestored: row.books_restored,
    seriesAdded: row.series_added,
    errorCount: row.error_count,
    errors: JSON.parse(row.errors) as ScanStatus['errors'],
    ratePerSecond,
    secondsLeft: isApplying && ratePerSecond > 0 ? Math.ceil(left / ratePerSecond) : null,
    startedAt: row.started_at,
    completedAt: row.completed_at,
  }
}

type ScanRow = Awaited<ReturnType<typeof selectScans>>[number]

/** Missing books are forgotten, with all that was kept for their return. */
export const startPurge = async (
  db: WriteDb,
  options: { readonly libraryId: string; readonly olderThanDays: number },
  now: Date,
): Promise<{ taskId: string }> => {
  const { taskId } = await enqueue(db, purgeMissing, options, { now })
  return { taskId }
}

// Held changes

export const readHeld = async (db: ReadDb, libraryId: string): Promise<HeldChanges> => {
  const held = await selectHeld(db, libraryId)
  if (!held) return { held: null }
  return {
    held: {
      id: held.id,
      scanId: held.scan_id,
      heldAt: held.held_at,
      reason: held.reason,
      vanishing: held.vanishing,
      of: held.of_books,
      folders: JSON.parse(held.folders) as { path: string; count: number }[],
    },
  }
}

const requireHeld = async (db: ReadDb, libraryId: string, heldId: string): Promise<ScanTables['held_change']> => {
  const held = await selectHeld(db, libraryId)
  if (!held || held.id !== heldId) throw notFound('held change')
  return held
}

export const listHeldItems = async (
  { readSlowly }: Database,
  libraryId: string,
  heldId: string,
  paging: Paging,
): Promise<ListAnswer<HeldItem>> => {
  const held = await requireHeld(readSlowly, libraryId, heldId)
  const rows = await selectHeldItems(readSlowly, heldId, paging)
  return {
    total: held.vanishing,
    data: rows.map(({ folder, name, ...row }) => ({ ...row, path: folder + name })),
  }
}

const confirmAtOnce = 250

/** Marks the held books as missing, a batch at a time. When it is interrupted it can be repeated. */
export const confirmHeld = async (db: Database, libraryId: string, heldId: string, now: Date): Promise<void> => {
  await requireHeld(db.read, libraryId, heldId)
  // All files first: one of them may stand in for another.
  await eachOfHeld(db, heldId, (db, ids) => markFilesMissing(db, ids, now.toISOString()))
  await eachOfHeld(db, heldId, (db, ids) => markBooksMissing(db, ids, { now, isToldSingly: false, lost: new Set(ids) }))
  await db.write(async (db) => {
    await deleteHeldChange(db, heldId)
    // Not before all are gone: the copy of one may be another that goes.
    await enqueue(db, relinkMissing, { libraryId }, { now })
  })
}

const eachOfHeld = async (
  db: Database,
  heldId: string,
  work: (db: WriteDb, bookIds: readonly string[]) => Promise<unknown>,
): Promise<void> => {
  let after = ''
  for (;;) {
    const ids = await selectHeldBookIds(db.read, heldId, after, confirmAtOnce)
    if (ids.length === 0) return
    await db.write((db) => work(db, ids))
    after = ids.at(-1) ?? after
  }
}

/** Keeps the held books. The next scan that misses them holds them again. */
export const rejectHeld = (db: Database, libraryId: string, heldId: string): Promise<void> =>
  db.write(async (db) => {
    await requireHeld(db, libraryId, heldId)
    await deleteHeldChange(db, heldId)
  })

// Re-links

export const listRelinks = async (db: ReadDb, libraryId: string, paging: Paging): Promise<ListAnswer<Relink>> => {
  const total = await countRelinks(db, libraryId)
  const rows = paging.offset < total ? await selectRelinks(db, libraryId, paging) : []
  const nameOf = await selectNames(
    db,
    rows.flatMap((row) => [row.missing_book_id, row.present_book_id]),
  )
  const data = rows.flatMap((row) => {
    const [missing, present] = [nameOf.get(row.missing_book_id), nameOf.get(row.present_book_id)]
    // Forgotten between two statements.
    if (!missing || !present) return []
    return [
      {
        id: row.id,
        missingBookId: row.missing_book_id,
        missingTitle: missing.title,
        missing,
        presentBookId: row.present_book_id,
        presentTitle: present.title,
        present,
        path: row.folder + row.name,
        offeredAt: row.at,
      },
    ]
  })
  return { total, data }
}

/** They are one book: what was read in either belongs to the one that was there first. */
export const acceptRelink = (db: Database, libraryId: string, id: string, now: Date): Promise<void> =>
  db.write(async (db) => {
    const relink = await requireRelink(db, libraryId, id)
    await holdAnalyses(db, [libraryId])
    await moveHistory(db, relink.present_book_id, relink.missing_book_id)
    await deleteRelink(db, id)
    const { ways, toRead } = await takeOverFile(db, relink.missing_book_id, relink.present_book_id, now)
    await replaceNewerSeries(db, ways, now)
    await analyseLibraries(db, toRead, now)
  })

export const refuseRelink = (db: Database, libraryId: string, id: string): Promise<void> =>
  db.write(async (db) => {
    await requireRelink(db, libraryId, id)
    await updateRelink(db, id, 'refused')
  })

const requireRelink = async (db: ReadDb, libraryId: string, id: string) => {
  const relink = await selectRelink(db, id)
  if (!relink || relink.library_id !== libraryId || relink.status !== 'offered') throw notFound('re-link')
  return relink
}

/** Somebody looks at books that have not been read yet: they go before others. */
export const requestAnalysis = (
  db: Database,
  bookIds: readonly string[],
  libraryId: string,
  now: Date,
): Promise<void> =>
  db.write(async (db) => {
    if ((await markFilesRequested(db, bookIds, now.toISOString())) === 0) return
    await analyseLibraries(db, [libraryId], now)
  })

/** What libraries need of the scan. */
export const scanOfLibraries: ScanOfLibraries = {
  start: (db, libraryId, now) => startScan(db, { libraryId }, now),
  requirePreview: async (db, libraryId, grouping, previewId) => {
    const preview = previewId === undefined ? undefined : await selectPreview(db, previewId)
    if (preview?.library_id === libraryId && preview.grouping === grouping) return
    throw new AppError(
      'conflict',
      'Another grouping moves books between series. Ask for a preview of it, and send its id as confirmPreview.',
      { reason: 'preview_needed' },
    )
  },
  readForLists: (db, libraryId, now) => enqueue(db, readListsAgain, { libraryId, before: now.toISOString() }, { now }),
  regroup: (db, libraryId, now) => enqueue(db, regroupLibrary, { libraryId }, { now }),
}
