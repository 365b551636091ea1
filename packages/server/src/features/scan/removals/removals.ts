import type { ReadDb, WriteDb } from '../../../database/database.ts'
import { announce } from '../../../events/outbox.ts'
import { newId } from '../../../platform/ids.ts'
import type { TaskContext } from '../../../tasks/define-task.ts'
import { announceRefreshed, markMissing, refresh } from '../../../catalogue/shown/shown.ts'
import { announceBooks } from '../../../catalogue/visibility/visibility.ts'
import type { LostBook } from '../identity/identify-files.ts'
import type { ScannedLibrary } from '../library.ts'
import { fallBackOnParts } from '../merged/fall-back.ts'
import { type FileOfBookRow, selectFilesOfBooks } from '../several-files/queries.ts'
import { countInRoot, countPresent, markFilesMissing, selectSeriesOf } from '../queries.ts'
import {
  countMissingSince,
  deleteHeldChangeOf,
  deleteHeldBooks,
  holdRoot,
  insertHeld,
  insertHeldBooks,
  recountHeld,
  selectHeld,
  selectHeldAmong,
  selectHeldBelow,
} from '../held/queries.ts'
import type { Findings, WalkedRoot } from '../identity/findings.ts'
import { manyBooks } from '../walker/kinds.ts'
import type { ScanTables } from '../table.ts'

export interface Removal {
  /** These have gone missing by this scan. */
  readonly missing: readonly string[]
  /** Undefined: nothing waits for anybody's word. */
  readonly heldId: string | undefined
  /** A root may not be the one it was. */
  readonly isSuspect: boolean
}

interface RemovalOptions {
  readonly library: ScannedLibrary
  readonly findings: Findings
  readonly lost: readonly LostBook[]
  readonly scanId: string
  readonly limits: { readonly percent: number; readonly books: number }
  readonly isConfirmed: boolean
  readonly context: TaskContext
}

type Reason = ScanTables['held_change']['reason']

/** Rows that one transaction writes; others wait for it. */
const batch = 250
const foldersKept = 100
/** A library of this many or fewer may lose all of them at once. */
const fewBooks = 3
const toldSingly = 500
/** Removals of several scans within this time count as one. */
const countedTogetherMs = 60 * 60 * 1000

/**
 * A scan may not destroy what it cannot see (LIB-6): what has vanished goes missing, unless there is a reason to believe
 * that it is only out of sight. Then it waits for somebody's word, and everything stays as it is.
 */
export const removeLost = async (all: RemovalOptions): Promise<Removal> => {
  const { library, findings, context, isConfirmed } = all
  const given = { ...all, lost: await dropSpareFiles(all) }
  const hold = await selectHeld(context.db.read, library.id)
  if (hold && !isWhole(findings)) await releaseSeen(given, hold.id)
  const unheld = await withoutHeld(context, hold, given.lost)
  // A scan of the whole library replaces what was held; a scan of some folders adds to it.
  const options = isWhole(findings) ? given : { ...given, lost: unheld }
  const { lost } = options
  const unseenRoots = await findUnseenRoots(options)
  const stillHeld = unheld.length < lost.length ? hold?.reason : undefined
  const reason = unseenRoots[0]?.reason ?? (await reasonToHold(options)) ?? stillHeld
  const isSuspect = reason === 'root_empty' || reason === 'root_changed'
  const mustHold = reason !== undefined && (unseenRoots.length > 0 || (lost.length > 0 && !isConfirmed))
  if (!mustHold) {
    await context.write((db) => (isWhole(findings) ? deleteHeldChangeOf(db, library.id) : Promise.resolve()))
    return { missing: await markInBatches(lost, context), heldId: undefined, isSuspect }
  }
  const fresh = await newHold(options, unseenRoots, reason)
  const heldId = await context.write(async (db) => {
    // Somebody may have confirmed or rejected what was held while this scan went on.
    const standing = isWhole(findings) ? undefined : await selectHeld(db, library.id)
    const heldId = standing?.id ?? fresh.id
    if (!standing) {
      await deleteHeldChangeOf(db, library.id)
      await insertHeld(db, fresh)
    }
    for (const { walked } of unseenRoots) await holdRoot(db, heldId, walked.root.id)
    await insertHeldBooks(
      db,
      lost.map(({ bookId }) => ({ held_id: heldId, book_id: bookId })),
    )
    if (standing) await recountHeld(db, heldId)
    const event = { type: 'scan_held' as const, libraryId: library.id, scanId: options.scanId, heldId }
    await announce(db, [{ event, to: { libraryId: library.id, permission: 'libraries:write' } }], context.clock())
    return heldId
  })
  return { missing: [], heldId, isSuspect }
}

/** Drops the files of books that have other files, because no book is lost with them. Returns the books that are lost. */
const dropSpareFiles = async ({ lost, context }: RemovalOptions): Promise<readonly LostBook[]> => {
  const ids = lost.map(({ bookId }) => bookId)
  const all = new Set(ids)
  const safe = new Set<string>()
  for (let from = 0; from < ids.length; from += batch) {
    context.signal.throwIfAborted()
    const part = ids.slice(from, from + batch)
    const { fileIds, wholes } = await selectDispensable(context.db.readSlowly, part, all)
    for (const id of fileIds) safe.add(id)
    if (fileIds.length === 0) continue
    await context.write(async (db) => {
      const now = context.clock()
      await markBooksMissing(db, fileIds, { now, isToldSingly: false, lost: all })
      await announceBooks(db, 'book_updated', wholes, now)
    })
  }
  return lost.filter(({ bookId }) => !safe.has(bookId))
}

/** A scan of some folders releases the held books whose files it has seen there again. */
const releaseSeen = async ({ findings, lost, context }: RemovalOptions, heldId: string): Promise<void> => {
  const lostIds = new Set(lost.map(({ bookId }) => bookId))
  const looked = findings.walked.filter(({ summary }) => !summary.rootError && summary.errorCount === 0)
  let released = 0
  for (const { root, folder } of looked)
    for (let after = '', ids = ['']; ids.length > 0; after = ids.at(-1) ?? after) {
      ids = await selectHeldBelow(context.db.readSlowly, { heldId, rootId: root.id, folder, after, limit: batch })
      const seen = ids.filter((id) => !lostIds.has(id))
      if (seen.length > 0) await context.write((db) => deleteHeldBooks(db, heldId, seen))
      released += seen.length
    }
  if (released > 0) await context.write((db) => recountHeld(db, heldId))
}

/** Leaves out the books that are held already: they go on waiting until somebody answers or they are seen again. */
const withoutHeld = async (
  { db }: TaskContext,
  hold: { readonly id: string } | undefined,
  lost: readonly LostBook[],
): Promise<readonly LostBook[]> => {
  if (!hold) return lost
  const held = new Set<string>()
  for (let from = 0; from < lost.length; from += batch) {
    const part = lost.slice(from, from + batch).map(({ bookId }) => bookId)
    for (const id of await selectHeldAmong(db.read, hold.id, part)) held.add(id)
  }
  return lost.filter(({ bookId }) => !held.has(bookId))
}

const newHold = async (
  options: RemovalOptions,
  unseenRoots: readonly { walked: WalkedRoot }[],
  reason: Reason,
): Promise<ScanTables['held_change']> => {
  const { library, lost, context, scanId } = options
  const now = context.clock()
  const counts = await Promise.all(unseenRoots.map(({ walked }) => countInRoot(context.db.readSlowly, walked.root.id)))
  return {
    id: newId(now.getTime()),
    library_id: library.id,
    scan_id: scanId,
    reason,
    held_at: now.toISOString(),
    vanishing: lost.length + counts.reduce((sum, count) => sum + count, 0),
    of_books: await countPresent(context.db.readSlowly, library.id),
    folders: JSON.stringify(foldersOf(options, unseenRoots, counts)),
  }
}

/** Only a scan of the whole library can tell that nothing is out of sight any more. */
const isWhole = ({ walked }: Findings): boolean => walked.every(({ folder }) => folder === '')

/** Roots that cannot be looked at or have nothing in them, and had books. */
const findUnseenRoots = async ({ findings, context }: RemovalOptions) => {
  const unseen: { walked: WalkedRoot; reason: Reason }[] = []
  for (const walked of findings.walked) {
    const { rootError, isEmpty } = walked.summary
    if (!rootError && !isEmpty) continue
    if ((await countInRoot(context.db.readSlowly, walked.root.id)) === 0) continue
    unseen.push({ walked, reason: rootError ? 'root_unavailable' : 'root_empty' })
  }
  return unseen
}

const reasonToHold = async ({
  library,
  findings,
  lost,
  limits,
  context,
}: RemovalOptions): Promise<Reason | undefined> => {
  if (lost.length === 0) return undefined
  const roots = new Set(lost.map(({ rootId }) => rootId))
  const concerned = findings.walked.filter(({ root }) => roots.has(root.id))
  if (concerned.some((walked) => isOtherDevice(walked) && losesMost(walked, lost))) return 'root_changed'
  if (concerned.some(({ summary }) => summary.errorCount > 0)) return 'walk_error'
  if (hasEmptied(concerned, findings, lost)) return 'folder_emptied'
  // Looks at single folders, one after the other, must not let go what a look at everything would hold.
  const since = new Date(context.clock().getTime() - countedTogetherMs).toISOString()
  const before = isWhole(findings) ? 0 : await countMissingSince(context.db.readSlowly, library.id, since)
  const present = before + (await countPresent(context.db.readSlowly, library.id))
  const going = before + lost.length
  if (going >= present && present > fewBooks) return 'threshold'
  const isAboveBoth = going > limits.books && going > (present * limits.percent) / 100
  return isAboveBoth ? 'threshold' : undefined
}

/** Whether books are lost of a folder that held many, is there, and holds none of them any more. */
const hasEmptied = (walked: readonly WalkedRoot[], { vanished }: Findings, lost: readonly LostBook[]): boolean => {
  const emptied = new Set(
    walked.flatMap(({ root, summary }) => summary.emptiedFolders.map((folder) => `${root.id}/${folder}`)),
  )
  if (emptied.size === 0) return false
  const held = countBelow(
    emptied,
    vanished.map(({ rootId, stored }) => `${rootId}/${stored[1]}`),
  )
  const losing = countBelow(
    emptied,
    lost.map(({ rootId, folder }) => `${rootId}/${folder}`),
  )
  return [...losing.keys()].some((folder) => (held.get(folder) ?? 0) >= manyBooks)
}

/** How many of these lie in each of the folders or below it. */
const countBelow = (folders: ReadonlySet<string>, paths: readonly string[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const path of paths)
    for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) {
      const folder = path.slice(0, end + 1)
      if (folders.has(folder)) counts.set(folder, (counts.get(folder) ?? 0) + 1)
    }
  return counts
}

const isOtherDevice = ({ root, summary }: WalkedRoot): boolean =>
  root.device !== null && (root.device !== summary.device || root.inode !== summary.inode)

/** Numbers of devices change with a restart; another disk has other books on it. */
const losesMost = ({ root, summary }: WalkedRoot, lost: readonly LostBook[]): boolean =>
  lost.filter(({ rootId }) => rootId === root.id).length > summary.filesKnown / 2

const foldersOf = (
  { lost }: RemovalOptions,
  unseen: readonly { walked: WalkedRoot }[],
  counts: readonly number[],
): { path: string; count: number }[] => {
  const folders = Map.groupBy(lost, ({ folder }) => folder)
  return [
    ...unseen.map(({ walked }, index) => ({ path: walked.root.path, count: counts[index] ?? 0 })),
    ...[...folders].map(([path, books]) => ({ path: path === '' ? '.' : path.slice(0, -1), count: books.length })),
  ]
    .sort((one, other) => other.count - one.count)
    .slice(0, foldersKept)
}

/** Returns the files that a book can do without: those of its parts, and its own where a part has another file. */
const selectDispensable = async (db: ReadDb, bookIds: readonly string[], lost: ReadonlySet<string>) => {
  const files = await selectFilesOfBooks(db, bookIds)
  const standIns = new Set(
    files
      .filter((file) => isPart(file) && file.state === 'present' && !lost.has(file.book_id))
      .map(({ whole_id }) => whole_id),
  )
  const wholeOf = new Map(files.filter(isPart).map(({ book_id, whole_id }) => [book_id, whole_id]))
  const fileIds = bookIds.filter((id) => wholeOf.has(id) || standIns.has(id))
  return { fileIds, wholes: [...new Set(fileIds.flatMap((id) => wholeOf.get(id) ?? []))] }
}

const isPart = ({ book_id, whole_id }: FileOfBookRow): boolean => book_id !== whole_id

const markInBatches = async (lost: readonly LostBook[], context: TaskContext): Promise<readonly string[]> => {
  const ids = lost.map(({ bookId }) => bookId)
  const isToldSingly = ids.length <= toldSingly
  const all = new Set(ids)
  const gone: string[] = []
  for (let from = 0; from < ids.length; from += batch) {
    context.signal.throwIfAborted()
    const part = ids.slice(from, from + batch)
    gone.push(
      ...(await context.write((db) => markBooksMissing(db, part, { now: context.clock(), isToldSingly, lost: all }))),
    )
  }
  return gone
}

interface MissingOptions {
  readonly now: Date
  readonly isToldSingly: boolean
  /** All whose files are gone. */
  readonly lost: ReadonlySet<string>
}

/** Marks books as missing: they keep their ids and all that people have on them. Returns those for which no other file stands in. */
export const markBooksMissing = async (
  db: WriteDb,
  allIds: readonly string[],
  { now, isToldSingly, lost }: MissingOptions,
): Promise<readonly string[]> => {
  const at = now.toISOString()
  await markFilesMissing(db, allIds, at)
  const remaining = await fallBackOnParts(db, allIds, { lost, now })
  const bookIds = allIds.filter((id) => !remaining.has(id))
  await markMissing(db, bookIds, at)
  const seriesIds = await selectSeriesOf(db, bookIds)
  if (isToldSingly) await announceBooks(db, 'book_deleted', bookIds, now)
  await announceRefreshed(db, await refresh(db, { series: seriesIds }, now), now)
  return bookIds
}
