import { type MovedByHand, movedBooksMax } from '@carrel/api'
import type { Database, ReadDb, WriteDb } from '../../../database/database.ts'
import { conflict, invalid } from '../../../platform/errors.ts'
import { mapInTurns, nextTurn } from '../../../platform/turns.ts'
import { requireSeries, seesLibrary, visibleSeriesIds } from '../../../catalogue/entries/entries.ts'
import {
  insertSharingTags,
  lockForMerge,
  newOverride,
  type OverrideRow,
  selectForMerge,
  selectOverridesOfBooks,
  selectOverridesOfFolders,
  type SeriesToMerge,
  storeSeriesByHand,
} from '../../../catalogue/shown/shown.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import { editMany } from '../../editing/editing.ts'
import { runDry } from '../attempt.ts'
import { selectRatingsIn } from '../queries.ts'
import { requireSameAudience } from '../same-audience.ts'
import { answerOf } from './answer.ts'
import { carryOut } from './carry-out.ts'
import { type BookToMove, selectBooksToMove, selectSeriesOfBooks, selectTitles } from './queries.ts'

interface HandMoveRequest {
  readonly bookIds: readonly string[]
  readonly follow?: boolean | undefined
  readonly dryRun?: boolean | undefined
}

interface SplitRequest extends HandMoveRequest {
  readonly title?: string | undefined
}

interface MoveRequest extends HandMoveRequest {
  readonly seriesId?: string | undefined
  readonly newSeries?: { readonly title: string; readonly libraryId: string } | undefined
}

/** Where books are to go. */
type Target =
  | { readonly seriesId: string }
  | { readonly newIn: string; readonly title: string | undefined; readonly splitOf?: string }

/** Some books of a series become one of their own. */
export const splitSeries = (
  db: Database,
  viewer: Viewer,
  { id, title, ...request }: SplitRequest & { readonly id: string },
  now: Date,
): Promise<MovedByHand> =>
  runDry(db, request.dryRun === true, async (db) => {
    const series = await requireSeries(db, viewer, id)
    const target = { newIn: series.library_id, title, splitOf: id }
    return moveTo(db, viewer, { ...request, target }, now)
  })

export const moveBooksByHand = (
  db: Database,
  viewer: Viewer,
  { seriesId, newSeries, ...request }: MoveRequest,
  now: Date,
): Promise<MovedByHand> =>
  runDry(db, request.dryRun === true, async (db) => {
    const target = await targetOf(db, viewer, { seriesId, newSeries })
    return moveTo(db, viewer, { ...request, target }, now)
  })

const targetOf = async (
  db: ReadDb,
  viewer: Viewer,
  { seriesId, newSeries }: Pick<MoveRequest, 'seriesId' | 'newSeries'>,
): Promise<Target> => {
  if ((seriesId === undefined) === (newSeries === undefined)) throw invalid('', 'Say either `seriesId` or `newSeries`.')
  if (newSeries !== undefined) {
    if (!(await seesLibrary(db, viewer, newSeries.libraryId)))
      throw invalid('/newSeries/libraryId', 'There is no such library.', { reason: 'gone_by_now' })
    return { newIn: newSeries.libraryId, title: newSeries.title }
  }
  const id = seriesId ?? ''
  if (!(await visibleSeriesIds(db, viewer, [id])).has(id))
    throw invalid('/seriesId', 'There is no such series.', { reason: 'gone_by_now' })
  return { seriesId: id }
}

interface TargetedRequest extends HandMoveRequest {
  readonly target: Target
}

const moveTo = async (db: WriteDb, viewer: Viewer, request: TargetedRequest, now: Date): Promise<MovedByHand> => {
  const { target } = request
  requireNotTooMany(request)
  const existing = 'seriesId' in target ? [target.seriesId] : []
  const concerned = await selectSeriesOfBooks(db, viewer, request.bookIds)
  await lockForMerge(db, [...new Set([...existing, ...concerned])].sort())
  // What was about to be moved by somebody else is there by now.
  const books = await requireBooks(db, viewer, request)
  await nextTurn()
  const sourceIds = new Set(books.map(({ series_id }) => series_id))
  const rows = await selectForMerge(db, [...new Set([...existing, ...sourceIds])])
  const sources = rows.filter(({ id }) => sourceIds.has(id))
  const into = rows.find(({ id }) => existing.includes(id))
  const libraryId = requireOneLibrary(target, into, books)
  await requireOneAudience(db, { libraryId, sources, into, books })
  const speaking = { by: viewer.userId, now }
  const seriesId = into?.id ?? (await makeSeries(db, { target, libraryId, sources }, now))
  const overrides = await overridesFor(db, { libraryId, seriesId, books, follow: request.follow === true }, speaking)
  const moves = await mapInTurns(books, (book) => ({
    bookId: book.id,
    seriesId,
    from: book.series_id,
    ageRating: book.age_rating,
    carriedBefore: book.carried_age_rating,
  }))
  const reason = 'splitOf' in target ? 'split' : 'move'
  const plan = { libraryId, moves, overrides, isBack: false, reason, carriesTags: true } as const
  const done = await carryOut(db, plan, speaking)
  if (into === undefined) await nameAndRate(db, seriesId, { target, sources }, speaking)
  return answerOf(db, viewer, {
    seriesId,
    before: into,
    emptied: sources.map(({ id }) => id).filter((id) => id !== seriesId),
    historyId: request.dryRun === true ? null : (done.historyOf.get(seriesId) ?? null),
    movedBooks: done.movedBooks,
    followedFolders: overrides.added.filter(({ folder }) => folder !== null).length,
  })
}

const requireNotTooMany = ({ bookIds }: TargetedRequest): void => {
  if (bookIds.length > movedBooksMax)
    throw invalid('/bookIds', `No more than ${movedBooksMax} books are moved at once.`, {
      reason: 'too_many',
      values: { most: movedBooksMax },
    })
}

/** All of them, in the order of the request; what the viewer does not see does not exist. */
const requireBooks = async (
  db: ReadDb,
  viewer: Viewer,
  { bookIds, target }: TargetedRequest,
): Promise<readonly BookToMove[]> => {
  const rows = new Map<string, BookToMove>()
  await mapInTurns(await selectBooksToMove(db, viewer, [...new Set(bookIds)]), (row) => rows.set(row.id, row))
  const areThere = await mapInTurns(bookIds, (id) => {
    const row = rows.get(id)
    return row !== undefined && !('splitOf' in target && target.splitOf !== row.series_id)
  })
  const strange = areThere.indexOf(false)
  if (strange >= 0)
    throw invalid(
      `/bookIds/${strange}`,
      'splitOf' in target ? 'There is no such book in this series.' : 'There is no such book.',
    )
  return [...rows.values()]
}

const requireOneLibrary = (target: Target, into: SeriesToMerge | undefined, books: readonly BookToMove[]): string => {
  const libraryId = 'newIn' in target ? target.newIn : into?.library_id
  if (libraryId === undefined) throw conflict('series_gone', 'The series is gone by now.')
  if (books.some(({ library_id }) => library_id !== libraryId))
    throw conflict('other_library', 'Books stay in their library: each keeps its own series.')
  return libraryId
}

interface Audiences {
  readonly libraryId: string
  readonly sources: readonly SeriesToMerge[]
  readonly into: SeriesToMerge | undefined
  readonly books: readonly BookToMove[]
}

/** What goes into a series shows nothing of it, or of itself, to anybody who did not see that. */
export const requireOneAudience = async (db: ReadDb, { libraryId, sources, into, books }: Audiences): Promise<void> => {
  const comingOf = Map.groupBy(books, ({ series_id }) => series_id)
  const others = sources.filter(({ id }) => id !== into?.id)
  // What a series is divided into is seen by those who saw it.
  if (others.length === 0 || (into === undefined && others.length < 2)) return
  const coming = others.map(({ id, tagIds }) => {
    const ratings = new Set((comingOf.get(id) ?? []).map(({ age_rating }) => age_rating))
    return { tagIds, ratings: [...ratings] }
  })
  const there = into ? [{ tagIds: into.tagIds, ratings: [into.age_rating, ...(await readRatings(db, into.id))] }] : []
  const rated = [
    ...others.map(({ age_rating }) => (into ? null : age_rating)),
    ...coming.flatMap(({ ratings }) => ratings),
    ...(into ? [into.age_rating] : []),
  ]
  const highest = rated.reduce<number | null>(
    (most, rating) => (rating === null ? most : Math.max(rating, most ?? 0)),
    null,
  )
  const all = [...coming, ...there]
  await requireSameAudience(db, libraryId, { all, highest: into?.said_age_rating ?? highest })
}

const readRatings = async (db: ReadDb, seriesId: string) => (await selectRatingsIn(db, [seriesId]))(seriesId)

interface NewSeries {
  readonly target: Target
  readonly libraryId: string
  readonly sources: readonly SeriesToMerge[]
}

/** It carries all the tags of where its books come from before any of them is in it. */
const makeSeries = async (db: WriteDb, { target, libraryId, sources }: NewSeries, now: Date): Promise<string> => {
  const [first] = sources
  const given = 'newIn' in target ? target.title : undefined
  const title = given ?? (await freeTitle(db, libraryId, first?.title ?? ''))
  const id = await storeSeriesByHand(db, { libraryId, title }, now)
  await insertSharingTags(db, id, [...new Set(sources.flatMap(({ tagIds }) => tagIds))])
  return id
}

/** `Title (2)`, or the next number that no series of the library has. */
const freeTitle = async (db: ReadDb, libraryId: string, title: string): Promise<string> => {
  const some = Array.from({ length: 100 }, (_, index) => `${title} (${index + 2})`)
  const taken = await selectTitles(db, libraryId, some)
  return some.find((each) => !taken.has(each)) ?? title
}

/**
 * What somebody has called it counts, whatever its books say; without that its books, unless they say what the series is called
 * that they come from. It is rated no lower than that one.
 */
const nameAndRate = async (
  db: WriteDb,
  seriesId: string,
  { target, sources }: Omit<NewSeries, 'libraryId'>,
  speaking: { readonly by: string; readonly now: Date },
): Promise<void> => {
  const [made] = await selectForMerge(db, [seriesId])
  if (!made) return
  const given = 'newIn' in target ? target.title : undefined
  const isAsBefore = sources.some(({ title }) => title === made.title)
  const title = given ?? (isAsBefore ? made.name : undefined)
  const highest = Math.max(-1, ...sources.map(({ age_rating }) => age_rating ?? -1))
  const patch = {
    ...(title !== undefined && { title }),
    ...(highest > (made.age_rating ?? -1) && { ageRating: highest }),
  }
  if (Object.keys(patch).length > 0)
    await editMany(db, { entity: 'series', ids: [seriesId], patch }, { ...speaking, reason: 'split' })
}

interface ToOverride {
  readonly libraryId: string
  readonly seriesId: string
  readonly books: readonly BookToMove[]
  readonly follow: boolean
}

const overridesFor = async (
  db: ReadDb,
  { libraryId, seriesId, books, follow }: ToOverride,
  { by, now }: { readonly by: string; readonly now: Date },
) => {
  const shared = { library_id: libraryId, series_id: seriesId, at: now.toISOString(), by_user_id: by }
  const rowOf = (of: Pick<OverrideRow, 'book_id' | 'folder'>) => newOverride({ ...shared, ...of }, now)
  const ids = books.map(({ id }) => id)
  // What lies in a root would take along whatever comes into the library.
  const folders = follow ? [...new Set(books.flatMap(({ folder }) => (folder === '' ? [] : (folder ?? []))))] : []
  const ofBooks = await selectOverridesOfBooks(db, libraryId, ids)
  const ofFolders = await selectOverridesOfFolders(db, libraryId, folders)
  return {
    removed: [...ofBooks, ...ofFolders],
    added: [
      ...(await mapInTurns(ids, (book_id) => rowOf({ book_id, folder: null }))),
      ...folders.map((folder) => rowOf({ book_id: null, folder })),
    ],
  }
}
