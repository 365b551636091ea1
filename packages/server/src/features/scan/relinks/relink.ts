import { listenersOf } from '../../../catalogue/listeners/listeners.ts'
import { carryOver } from '../../../database/carry-over.ts'
import type { WriteDb } from '../../../database/database.ts'
import { newId } from '../../../platform/ids.ts'
import type { TaskContext } from '../../../tasks/define-task.ts'
import { announceBooks } from '../../../catalogue/visibility/visibility.ts'
import {
  announceRefreshed,
  forgetBooks,
  handOverride,
  refresh,
  selectLocationsOfBooks,
  updateFormatsOfBooks,
  takeOverLocation,
} from '../../../catalogue/shown/shown.ts'
import { guessedFormat } from '../extensions.ts'
import { setPending } from '../files/queries.ts'
import { takeOverCovers } from '../../covers/covers.ts'
import { takeOverPages } from '../../pages/pages.ts'
import {
  deleteFileOf,
  type Gone,
  insertRelink,
  selectHeldFiles,
  selectStates,
  selectLostTwins,
  selectMissingAfter,
  selectPresentTwins,
  takeFileOver,
  type TwinRow,
} from './queries.ts'
import { hasLostBooks } from '../identity/queries.ts'
import { type SeriesMove, replaceNewerSeries } from './succession.ts'

const batch = 250

/**
 * A missing book whose content lies elsewhere by now, in exactly one present book (C11, rung 6): if nobody has read that
 * one or edited it yet it was the missing book all along, which takes its file over. Otherwise both stay and somebody is
 * asked. A copy that came later and went unread takes nothing from the book it was a copy of. It answers the libraries with
 * files that are to be read anew.
 */
export const relinkLost = async (missing: readonly string[], context: TaskContext): Promise<readonly string[]> => {
  const takenOver: TakenOver[] = []
  const only: TwinRow[] = []
  for (let from = 0; from < missing.length; from += batch) {
    context.signal.throwIfAborted()
    const twins = await selectPresentTwins(context.db.readSlowly, missing.slice(from, from + batch))
    for (const each of Map.groupBy(twins, ({ missingId }) => missingId).values())
      if (each.length === 1) only.push(...each.filter(({ isMereCopy }) => !isMereCopy))
  }
  // Two missing books that wait for the same one cannot both have it.
  const claimants = Map.groupBy(only, ({ presentId }) => presentId)
  for (const twin of only) {
    if ((claimants.get(twin.presentId)?.length ?? 0) > 1) continue
    context.signal.throwIfAborted()
    takenOver.push(await context.write((db) => relink(db, twin, context.clock())))
  }
  const ways = takenOver.flatMap((each) => each.ways)
  if (ways.length > 0) await context.write((db) => replaceNewerSeries(db, ways, context.clock()))
  return [...new Set(takenOver.flatMap(({ toRead }) => toRead))]
}

/** What a worker that was killed has left: it let books go missing, or read others, and had not come to this yet. */
export const relinkLeft = async (libraryId: string, context: TaskContext): Promise<readonly string[]> => {
  const ids: string[] = []
  let last: Gone | undefined
  do {
    const missing = await selectMissingAfter(context.db.readSlowly, libraryId, last, batch)
    ids.push(...missing.map(({ id }) => id))
    last = missing.at(-1)
  } while (last)
  return relinkLost(ids, context)
}

/** The same from the other side: these were just read for the first time, or have come back. */
export const relinkPresent = async (present: readonly string[], context: TaskContext): Promise<readonly string[]> => {
  if (present.length === 0 || !(await hasLostBooks(context.db.read))) return []
  const toRead = new Set<string>()
  for (let from = 0; from < present.length; from += batch) {
    const missing = await selectLostTwins(context.db.readSlowly, present.slice(from, from + batch))
    for (const each of await relinkLost(missing, context)) toRead.add(each)
  }
  return [...toRead]
}

interface TakenOver {
  /** From which series to which the book has gone, if it has. */
  readonly ways: readonly SeriesMove[]
  /** Libraries with a file that is to be read anew. */
  readonly toRead: readonly string[]
}

const relink = async (db: WriteDb, twin: TwinRow, now: Date): Promise<TakenOver> => {
  if (twin.isUsed) {
    await insertRelink(db, {
      id: newId(now.getTime()),
      library_id: twin.libraryId,
      missing_book_id: twin.missingId,
      present_book_id: twin.presentId,
      status: 'offered',
      at: now.toISOString(),
    })
    return { ways: [], toRead: [] }
  }
  return takeOverFile(db, twin.missingId, twin.presentId, now)
}

/**
 * The missing book becomes the present one: its id and all that hangs on it, with the other's file and place. The caller
 * enqueues `analyseLibrary` for the libraries that are to be read.
 */
export const takeOverFile = async (
  db: WriteDb,
  missingId: string,
  presentId: string,
  now: Date,
): Promise<TakenOver> => {
  const stateOf = await selectStates(db, [missingId, presentId])
  const fileOf = new Map((await selectHeldFiles(db, [missingId, presentId])).map((file) => [file.book_id, file]))
  const [location] = await selectLocationsOfBooks(db, [presentId])
  const file = fileOf.get(presentId)
  if (!location || !file || (stateOf.get(missingId) ?? 'present') === 'present' || stateOf.get(presentId) !== 'present')
    return { ways: [], toRead: [] }
  await announceBooks(db, 'book_deleted', [presentId], now)
  await deleteFileOf(db, missingId)
  await takeFileOver(db, presentId, missingId)
  await updateFormatsOfBooks(db, [
    { id: missingId, format: guessedFormat({ ...file, isFolder: file.is_folder === 1 }) },
  ])
  // Else what was read of the book was in another file than the one that it has now.
  const isSameContent = file.content_hash === fileOf.get(missingId)?.content_hash
  if (!isSameContent) await setPending(db, [missingId])
  await takeOverPages(db, presentId, missingId)
  for (const rule of listenersOf(db).merged)
    if (rule.of === 'book') await carryOver(db, rule, { fromIds: [presentId], intoId: missingId, now })
  await takeOverCovers(db, presentId, missingId, now)
  await handOverride(db, presentId, missingId)
  await forgetBooks(db, [presentId], now)
  const moved = await takeOverLocation(db, missingId, location, now)
  const refreshed = await refresh(db, { placed: moved }, now)
  await announceRefreshed(db, { ...refreshed, books: [] }, now)
  await announceBooks(db, 'book_restored', [missingId], now)
  return {
    ways: moved.moves.map(({ before, seriesId }) => ({ fromSeriesId: before.seriesId, toSeriesId: seriesId })),
    toRead: isSameContent ? [] : [file.library_id],
  }
}
