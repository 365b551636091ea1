import type { Grouping, LibraryDto, LibraryPatch, ListAnswer, NewLibrary } from '@carrel/api'
import type { SeriesChange } from '../../catalogue/listeners/listeners.ts'
import { noteListsOfLibrary } from '../../catalogue/member-lists/member-lists.ts'
import { followRootName } from '../../catalogue/shown/shown.ts'
import { requireLibrary } from '../../catalogue/entries/entries.ts'
import type { Context } from '../../context.ts'
import type { Database, ReadDb, WriteDb } from '../../database/database.ts'
import { flag } from '../../database/flag.ts'
import { raiseRevision } from '../../database/revisions.ts'
import { announce } from '../../events/outbox.ts'
import type { Caller } from '../../http/caller.ts'
import { AppError, full, invalid, nameTaken, notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { cleanName } from '../../platform/text/names.ts'
import { isTimeZone } from '../../platform/time-zone.ts'
import { orderOf, type Paging, pagingOf, type Sort } from '../../platform/paging.ts'
import { nameKey, plainText, sortKey } from '../../platform/text/sort-key.ts'
import { cronProblem } from '../../tasks/schedule.ts'
import { enqueue } from '../../tasks/queue.ts'
import { seesWholeLibraries, type Viewer } from '../../catalogue/visibility/visibility.ts'
import { patternProblem as groupingPatternProblem } from '../../naming/grouping/custom.ts'
import { nameOfRoot, usualLevels } from '../../naming/grouping/grouping.ts'
import { patternProblem } from '../../platform/files/globs.ts'
import {
  addToCounts,
  countLibraries,
  countVisible,
  hasFilesDirectly,
  insertLibrary,
  insertRoots,
  type LibraryOrder,
  type LibraryRow,
  type RootRow,
  recount,
  selectAllRoots,
  selectForeignRoots,
  selectLibraries,
  selectLibrary,
  selectNames,
  selectRoots,
  updateLibrary,
  updateRoot,
} from './queries.ts'
import { checkRoots, isWithin, type Storage } from './roots.ts'
import { forgetLibrary, hideLibrary } from './tasks.ts'

export { browse, listDrives } from './browse.ts'
export { checkRoots, type Storage } from './roots.ts'
export {
  noteSidecars,
  recountLibrary,
  selectLibraryAt,
  selectNames,
  selectRoots,
  selectSidecarLibraries,
  setRootStates,
} from './queries.ts'

const librariesMax = 1000

type Expect = (current: LibraryDto) => void

export const listLibraries = async (
  db: Database,
  viewer: Viewer,
  sort: Sort<LibraryOrder['field']> | undefined,
  paging: Paging,
): Promise<ListAnswer<LibraryDto>> => {
  const total = await countLibraries(db.read, viewer)
  if (paging.offset >= total) return { total, data: [] }
  const rows = await selectLibraries(db.read, viewer, orderOf(sort, 'name'), paging)
  return { total, data: await showLibraries(db.readSlowly, viewer, rows) }
}

/** All of them, by name. */
export const everyLibrary = async (db: ReadDb, viewer: Viewer): Promise<LibraryDto[]> => {
  const rows = await selectLibraries(db, viewer, orderOf(undefined, 'name'), pagingOf(1, librariesMax))
  return showLibraries(db, viewer, rows)
}

export const readLibrary = async (db: ReadDb, viewer: Viewer, id: string): Promise<LibraryDto> =>
  showLibrary(db, viewer, await requireLibrary(db, viewer, id))

/** What the scan does for libraries; it knows them, they do not know it. */
export interface ScanOfLibraries {
  start(db: WriteDb, libraryId: string, now: Date): Promise<unknown>
  /** Refuses, unless somebody has seen what this grouping would move. */
  requirePreview(db: ReadDb, libraryId: string, grouping: string, previewId: string | undefined): Promise<void>
  /** Books that were read before lists were asked for are read again. */
  readForLists(db: WriteDb, libraryId: string, now: Date): Promise<unknown>
  /** Books go to the series of another grouping. */
  regroup(db: WriteDb, libraryId: string, now: Date): Promise<unknown>
}

interface Use {
  readonly db: Database
  readonly storage: Storage & Pick<Context, 'settings'>
  readonly scan: ScanOfLibraries
}

export const createLibrary = async (use: Use, viewer: Viewer, input: NewLibrary, now: Date): Promise<LibraryDto> => {
  requireSidecarsAllowed(use.storage, input)
  const paths = await resolveRoots(use.storage, input)
  if (!paths) throw invalid('/roots', 'A library needs at least one folder.')
  return addLibrary(use, viewer, { input, paths }, now)
}

/** A library of books that the server has made itself, wherever it keeps them. */
export const createOwnLibrary = (
  use: Pick<Use, 'db' | 'scan'>,
  viewer: Viewer,
  { name, path }: { readonly name: string; readonly path: string },
  now: Date,
): Promise<LibraryDto> => addLibrary(use, viewer, { input: { name, roots: [path] }, paths: [path] }, now)

const addLibrary = (
  { db, scan }: Pick<Use, 'db' | 'scan'>,
  viewer: Viewer,
  made: NewInFolders,
  now: Date,
): Promise<LibraryDto> => db.write((db) => addLibraryOf(db, scan, { ...made, viewer }, now))

interface NewInFolders {
  readonly input: NewLibrary
  /** They were resolved. */
  readonly paths: readonly string[]
}

/** In the transaction of whoever has a reason to make one. */
export const addLibraryOf = async (
  db: WriteDb,
  scan: ScanOfLibraries,
  { input, paths, viewer }: NewInFolders & { readonly viewer: Viewer },
  now: Date,
): Promise<LibraryDto> => {
  const at = now.toISOString()
  const id = newId(now.getTime())
  const name = cleanName(input.name, '/name')
  const grouping = JSON.stringify(groupingOf(input.grouping))
  const settings = { ...usual, grouping, ...settingsOf(input) }
  await requireRoomAndName(db, id, name)
  await requireFree(db, id, paths)
  const library: LibraryRow = {
    id,
    name,
    sort_key: sortKey(name),
    ...settings,
    ...fresh,
    created_at: at,
    updated_at: at,
  }
  await insertLibrary(
    db,
    library,
    paths.map((path, position) => newRoot(id, path, position, now)),
  )
  if (input.scanNow ?? true) await scan.start(db, id, now)
  await announce(db, [{ event: { type: 'library_created', libraryId: id }, to: { libraryId: id } }], now)
  return showLibrary(db, viewer, library)
}

export const changeLibrary = async (
  { db, storage, scan }: Use,
  viewer: Viewer,
  id: string,
  { patch, now, expectMatch }: { patch: LibraryPatch; now: Date; expectMatch: Expect },
): Promise<LibraryDto> => {
  await requireLibrary(db.read, viewer, id)
  requireSidecarsAllowed(storage, patch)
  const paths = await resolveRoots(storage, patch)
  return db.write(async (db) => {
    const library = await requireLibrary(db, viewer, id)
    expectMatch(await showLibrary(db, viewer, library))
    const name = patch.name === undefined ? library.name : cleanName(patch.name, '/name')
    await requireRoomAndName(db, id, name)
    const grouping = groupingOf(patch.grouping, JSON.parse(library.grouping) as Grouping)
    // Another grouping moves books between series: only somebody who has seen what it would move may ask for it.
    const isRegrouped = library.grouping !== JSON.stringify(grouping)
    if (isRegrouped) await scan.requirePreview(db, id, JSON.stringify(grouping), patch.confirmPreview)
    const isNamedAnew = isOther(patch.numbering, library.numbering) || isOther(patch.titleFrom, library.title_from)
    const changes = { ...settingsOf(patch), grouping: JSON.stringify(grouping), updated_at: now.toISOString() }
    await updateLibrary(db, id, { ...changes, name, sort_key: sortKey(name) })
    const isRenamed = paths !== undefined && (await changeRoots(db, id, paths, now))
    if (isRegrouped || isRenamed || isNamedAnew) await scan.regroup(db, id, now)
    if (patch.listsFromFiles !== undefined && flag(patch.listsFromFiles) !== library.lists_from_files) {
      await noteListsOfLibrary(db, id, now)
      if (patch.listsFromFiles && library.lists_unread === 1) {
        await updateLibrary(db, id, { lists_unread: 0 })
        await scan.readForLists(db, id, now)
      }
    }
    await announce(db, [{ event: { type: 'library_updated', libraryId: id }, to: { libraryId: id } }], now)
    return readLibrary(db, viewer, id)
  })
}

const isOther = (chosen: string | undefined, standing: string): boolean => chosen !== undefined && chosen !== standing

/**
 * From this moment on nobody sees anything of it (`visibleTo`); the task then takes its content out of the indexes. To
 * forget one for ever is possible, too, after it was deleted.
 */
export const removeLibrary = (
  db: Database,
  { caller, viewer }: { caller: Caller; viewer: Viewer },
  id: string,
  { purge, now, expectMatch }: { purge: boolean; now: Date; expectMatch: Expect },
): Promise<undefined> => {
  if (purge && !caller.permissions.has('system:admin'))
    throw new AppError('not_allowed', 'Only administrators may forget a library for ever.')
  return db.write(async (db) => {
    await raiseRevision(db, 'access')
    const deleted = purge ? await selectLibrary(db, id) : undefined
    if (!deleted?.deleted_at) {
      const library = await requireLibrary(db, viewer, id)
      expectMatch(await showLibrary(db, viewer, library))
      await hideAtOnce(db, id, now)
    }
    await enqueue(db, purge ? forgetLibrary : hideLibrary, { libraryId: id }, { now })
    return undefined
  })
}

const hideAtOnce = async (db: WriteDb, id: string, now: Date): Promise<void> => {
  await updateLibrary(db, id, { deleted_at: now.toISOString() })
  await announce(db, [{ event: { type: 'library_deleted', libraryId: id }, to: { libraryId: id } }], now)
  await noteListsOfLibrary(db, id, now)
}

/** In the transaction of whoever has made it: it is forgotten for ever. */
export const dropLibrary = async (db: WriteDb, id: string, now: Date): Promise<void> => {
  await raiseRevision(db, 'access')
  if (!(await selectLibrary(db, id))) return
  await hideAtOnce(db, id, now)
  await enqueue(db, forgetLibrary, { libraryId: id }, { now })
}

// What may be chosen

const requireSidecarsAllowed = (
  { settings }: Pick<Context, 'settings'>,
  { sidecars }: Pick<LibraryPatch, 'sidecars'>,
): void => {
  if (sidecars === 'beside' && !settings.get('sidecars.beside_allowed'))
    throw invalid('/sidecars', 'Files are written beside books only where the setting sidecars.beside_allowed says so.')
}

const usualGrouping: Grouping = { policy: 'folder', config: {} }

const usual = {
  description: null,
  numbering: 'smart',
  title_from: 'smart',
  formats: null,
  exclude: JSON.stringify(['**/.*']),
  reading_direction: 'ltr',
  cron: null,
  time_zone: null,
  watch: 1,
  lists_from_files: 0,
  sidecars: 'none',
} as const

const fresh = {
  status: 'available',
  book_count: 0,
  series_count: 0,
  last_scanned_at: null,
  deleted_at: null,
  lists_unread: 0,
  sidecars_at: null,
} as const

/** What was chosen, as it is kept; but for the grouping. */
const settingsOf = (choice: Omit<LibraryPatch, 'name' | 'grouping' | 'confirmPreview'>) => {
  const { description, numbering, titleFrom, formats, exclude, readingDirection, schedule, watch } = choice
  const { listsFromFiles, sidecars } = choice
  if (exclude) requirePatterns(exclude)
  return {
    ...(description !== undefined && { description }),
    ...(numbering !== undefined && { numbering }),
    ...(titleFrom !== undefined && { title_from: titleFrom }),
    ...(formats !== undefined && { formats: formats && JSON.stringify(formats) }),
    ...(exclude !== undefined && { exclude: JSON.stringify(exclude) }),
    ...(readingDirection !== undefined && { reading_direction: readingDirection }),
    ...(schedule !== undefined && scheduleFields(schedule)),
    ...(watch !== undefined && { watch: flag(watch) }),
    ...(listsFromFiles !== undefined && { lists_from_files: flag(listsFromFiles) }),
    // Whatever was written elsewhere is written there anew.
    ...(sidecars !== undefined && { sidecars, sidecars_at: null }),
  }
}

/** What was chosen is kept whole, so that what is usual can become something else. */
export const groupingOf = (chosen: Partial<Grouping> = {}, standing: Grouping = usualGrouping): Grouping => {
  const policy = chosen.policy ?? standing.policy
  // What was configured for one policy says nothing to another.
  const config = chosen.config ?? (policy === standing.policy ? standing.config : {})
  return { policy, config: configOf(policy, config) }
}

const configOf = (policy: Grouping['policy'], { levels, pattern }: Grouping['config']): Grouping['config'] => {
  if (levels && policy !== 'publisher_folders')
    throw invalid('/grouping/config/levels', `Levels are for publisher_folders, not for ${policy}.`)
  if (pattern !== undefined && policy !== 'custom')
    throw invalid('/grouping/config/pattern', `A pattern is for custom, not for ${policy}.`)
  if (policy === 'publisher_folders') return { levels: requireLevels(levels ?? [...usualLevels]) }
  if (policy === 'custom') return { pattern: requirePattern(pattern) }
  return {}
}

type Levels = NonNullable<Grouping['config']['levels']>

const requireLevels = (levels: Levels): Levels => {
  if (levels.filter((level) => level === 'series').length !== 1)
    throw invalid('/grouping/config/levels', 'Exactly one of the levels must be series.', { reason: 'levels_wrong' })
  const twice = levels.find((level, index) => level !== 'skip' && levels.indexOf(level) < index)
  if (twice !== undefined)
    throw invalid('/grouping/config/levels', `Only one of the levels can be ${twice}.`, { reason: 'levels_wrong' })
  return levels
}

const requirePattern = (pattern: string | undefined): string => {
  if (pattern === undefined)
    throw invalid('/grouping/config/pattern', 'With custom, a pattern says what a path is.', {
      reason: 'field_missing',
    })
  const problem = groupingPatternProblem(pattern)
  if (problem !== undefined)
    throw invalid('/grouping/config/pattern', `The pattern ${problem}`, { reason: 'pattern_wrong' })
  return pattern
}

export const requirePatterns = (patterns: readonly string[]): void => {
  for (const [index, pattern] of patterns.entries()) {
    const problem = patternProblem(pattern)
    if (problem !== undefined)
      throw invalid(`/exclude/${index}`, `The pattern "${pattern}" ${problem}.`, { reason: 'pattern_wrong' })
  }
}

const scheduleFields = (schedule: NonNullable<LibraryPatch['schedule']> | null) => {
  if (schedule === null) return { cron: null, time_zone: null }
  const { cron, timeZone = 'UTC' } = schedule
  const problem = cronProblem(cron)
  if (problem !== undefined) throw invalid('/schedule/cron', `"${cron}" ${problem}.`, { reason: 'schedule_wrong' })
  if (!isTimeZone(timeZone))
    throw invalid('/schedule/timeZone', `"${timeZone}" is not a time zone such as Europe/Berlin.`, {
      reason: 'time_zone_unknown',
    })
  return { cron: cron.trim(), time_zone: timeZone }
}

/** Libraries are named and placed one after another: two that are created at once see each other. */
const requireRoomAndName = async (db: WriteDb, id: string, name: string): Promise<void> => {
  await raiseRevision(db, 'access')
  const others = (await selectNames(db)).filter((each) => each.id !== id)
  if (others.some((each) => nameKey(each.name) === nameKey(name)))
    throw nameTaken(name, `There is already a library named "${name}".`)
  if (others.length >= librariesMax)
    throw full(librariesMax, `There are ${librariesMax} libraries already. Delete one first.`)
}

// Roots

/** Undefined when none are given. */
export const resolveRoots = async (
  storage: Storage,
  { path, roots }: Pick<NewLibrary, 'path' | 'roots'>,
): Promise<string[] | undefined> => {
  if (path !== undefined && roots !== undefined) throw invalid('/path', 'Give either path or roots.')
  if (path !== undefined) return checkRoots(storage, [path], () => '/path')
  return roots && checkRoots(storage, roots, (index) => `/roots/${index}`)
}

const requireFree = async (db: ReadDb, libraryId: string, paths: readonly string[]): Promise<void> => {
  const taken = await selectForeignRoots(db, libraryId)
  for (const path of paths) {
    const other = taken.find((each) => isWithin(path, each.path) || isWithin(each.path, path))
    if (other)
      throw new AppError(
        'conflict',
        `"${path}" and "${other.path}" of the library "${other.name}" are one within the other.`,
        { reason: 'paths_overlap', values: { path, other: other.path } },
      )
  }
}

const newRoot = (libraryId: string, path: string, position: number, now: Date): RootRow => ({
  id: newId(now.getTime()),
  library_id: libraryId,
  position,
  ...rootPath(path),
  ...unseen,
})

const rootPath = (path: string) => ({ path, path_text: plainText(path.endsWith('/') ? path : `${path}/`) })

const unseen = { status: 'available', device: null, inode: null, checked_at: null, removed_at: null } as const

/**
 * Roots keep their ids, as files are known by them: first those whose path is still wanted, then, by their place in the
 * list, those that have moved. One that is wanted no longer stands until a scan has found its books elsewhere or missing.
 * It returns whether books that lie in a root may be in a series of another name now.
 */
const changeRoots = async (db: WriteDb, libraryId: string, paths: readonly string[], now: Date): Promise<boolean> => {
  await requireFree(db, libraryId, paths)
  const all = await selectAllRoots(db, libraryId)
  const keeping = new Map(all.filter(({ path }) => paths.includes(path)).map((root) => [root.path, root]))
  const moving = all.filter((root) => root.removed_at === null && !paths.includes(root.path))
  const added: RootRow[] = []
  let isRenamed = false
  for (const [position, path] of paths.entries()) {
    const earlier = keeping.get(path)
    const moved = earlier ? undefined : takeAt(moving, position)
    if (earlier) await updateRoot(db, earlier.id, { position, removed_at: null })
    else if (moved) {
      await updateRoot(db, moved.id, { position, ...rootPath(path), ...unseen })
      isRenamed = (await renameRoot(db, moved, path)) || isRenamed
    } else added.push(newRoot(libraryId, path, position, now))
  }
  await insertRoots(db, added)
  for (const { id } of moving) await updateRoot(db, id, { removed_at: now.toISOString() })
  return isRenamed
}

const renameRoot = async (db: WriteDb, root: RootRow, path: string): Promise<boolean> => {
  const names = { was: nameOfRoot(root.path), is: nameOfRoot(path) }
  if (names.was === names.is || !(await hasFilesDirectly(db, root.id))) return false
  await followRootName(db, root.library_id, names)
  return true
}

const takeAt = (roots: RootRow[], position: number): RootRow | undefined => {
  const index = roots.findIndex((root) => root.position === position)
  return index < 0 ? undefined : roots.splice(index, 1)[0]
}

const showLibrary = async (db: ReadDb, viewer: Viewer, row: LibraryRow): Promise<LibraryDto> => {
  const [library] = await showLibraries(db, viewer, [row])
  if (!library) throw notFound('library')
  return library
}

const showLibraries = async (db: ReadDb, viewer: Viewer, rows: readonly LibraryRow[]): Promise<LibraryDto[]> => {
  const ids = rows.map(({ id }) => id)
  const roots = viewer.seesPaths ? Map.groupBy(await selectRoots(db, ids), ({ library_id }) => library_id) : undefined
  const visible = seesWholeLibraries(viewer) ? undefined : await countVisible(db, viewer, ids)
  return rows.map((row) => {
    const paths = roots && (roots.get(row.id) ?? []).map(({ path }) => path)
    const counts = visible
      ? { bookCount: visible.books.get(row.id) ?? 0, seriesCount: visible.series.get(row.id) ?? 0 }
      : { bookCount: row.book_count, seriesCount: row.series_count }
    return { ...toLibrary(row), ...counts, ...(paths && { roots: paths, path: paths[0] ?? '' }) }
  })
}

const toLibrary = (row: LibraryRow): Omit<LibraryDto, 'bookCount' | 'seriesCount'> => ({
  id: row.id,
  name: row.name,
  description: row.description,
  grouping: JSON.parse(row.grouping) as Grouping,
  numbering: row.numbering,
  titleFrom: row.title_from,
  formats: row.formats === null ? null : (JSON.parse(row.formats) as LibraryDto['formats']),
  exclude: JSON.parse(row.exclude) as string[],
  readingDirection: row.reading_direction,
  schedule: row.cron === null ? null : { cron: row.cron, timeZone: row.time_zone ?? 'UTC' },
  watch: row.watch === 1,
  listsFromFiles: row.lists_from_files === 1,
  sidecars: row.sidecars,
  status: row.status,
  lastScannedAt: row.last_scanned_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** What was counted while books came and went has turned out to be wrong. */
export const countAnew = async (db: WriteDb, libraryIds: readonly string[]): Promise<void> => {
  for (const libraryId of libraryIds) await recount(db, libraryId)
}

/** The counts of libraries follow as books and series come and go, so that nothing has to count them again. */
export const countOtherBooks = async (db: WriteDb, changes: readonly SeriesChange[]): Promise<void> => {
  for (const [libraryId, ofLibrary] of Map.groupBy(changes, (each) => each.libraryId)) {
    const sum = (of: (each: SeriesChange) => number): number => ofLibrary.reduce((total, each) => total + of(each), 0)
    await addToCounts(db, libraryId, {
      books: sum(({ bookCount, bookCountBefore }) => bookCount - bookCountBefore),
      series: sum(({ bookCount, bookCountBefore }) => Math.sign(bookCount) - Math.sign(bookCountBefore)),
    })
  }
}
