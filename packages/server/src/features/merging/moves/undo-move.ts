import type { ReadDb, WriteDb } from '../../../database/database.ts'
import { conflict } from '../../../platform/errors.ts'
import { mapInTurns, nextTurn } from '../../../platform/turns.ts'
import { selectGrantedTags, type Viewer } from '../../../catalogue/visibility/visibility.ts'
import {
  announceRefreshed,
  deleteOverrides,
  insertSharingTags,
  lockForMerge,
  movesByGrouping,
  type OverrideRow,
  refresh,
  replaceTags,
  selectForMerge,
  selectHeirs,
  selectOverridesById,
  selectOverridesOfBooks,
  selectOverridesOfFolders,
  selectOverridesThrough,
  type SeriesToMerge,
  setCarriedRatings,
} from '../../../catalogue/shown/shown.ts'
import { type StoredChange, readChanges, setUndoneBy } from '../../../catalogue/metadata/metadata.ts'
import { undoMergedWords } from '../../editing/editing.ts'
import { readMergeRecords } from '../merge-records.ts'
import type { TagsOf } from '../merge-series.ts'
import { type MergeRow, selectMergesSince } from '../queries.ts'
import { followFolders, joinInFolders } from '../shared-folders.ts'
import { type AlsoChanged, carryOut, type PlannedMove, type Speaking } from './carry-out.ts'
import {
  type MovedBook,
  type MoveRow,
  selectBooksToMove,
  selectEnteredSince,
  selectKeptSince,
  selectLinesOfMove,
  selectMove,
  selectMovedBooks,
  selectMovedOn,
  selectSeriesOfMove,
  updateComingFrom,
  updateMoveUndone,
} from './queries.ts'

interface Undoing {
  readonly move: MoveRow
  readonly changes: AlsoChanged
  /** They are where it has put them. */
  readonly standing: readonly (MovedBook & { readonly backTo: string })[]
  /** They have been moved elsewhere since, and stay there. */
  readonly elsewhere: readonly (MovedBook & { readonly backTo: string })[]
  readonly stayed: readonly MovedBook[]
  readonly viewer: Viewer
  /** The series of then, as they exist by now. */
  readonly heirOf: ReadonlyMap<string, string>
  /** The series that books came into, as they are now. */
  readonly into: readonly SeriesToMerge[]
}

interface MoveUndone {
  /** By series: the line of its history. */
  readonly historyOf: ReadonlyMap<string, string>
  /** Some books have been moved elsewhere since, and stay there. */
  readonly conflicts: readonly string[]
}

/** What one move has put elsewhere, and nobody has moved since, goes back; if it is forced, what has been moved since too. */
export const undoMove = async (
  db: WriteDb,
  viewer: Viewer,
  moveId: string,
  { force, ...speaking }: Speaking & { readonly force: boolean },
): Promise<MoveUndone> => {
  const move = await selectMove(db, moveId)
  if (!move || move.undone_by !== null) throw conflict('undone_already', 'This has been taken back already.')
  const undoing = await openUndo(db, viewer, move, force)
  if (move.is_back === 0) await followFolders(db, move.library_id, comingBack(undoing))
  const given = await readGiven(db, undoing)
  const back = await mapInTurns(undoing.standing, (row) => ({
    bookId: row.book_id,
    seriesId: row.backTo,
    from: row.series_id,
    ageRating: row.age_rating,
    carriedBefore: row.carried_age_rating,
    ...(move.is_back === 0 && { carried: carriedBack(row, given.isRatedAnew(row.series_id)) }),
  }))
  const overrides = await overridesOfThen(db, undoing)
  const lines = await readChanges(db, await selectLinesOfMove(db, moveId))
  const also = await comingAlong(db, undoing, overrides.removed, speaking)
  const plan: PlannedMove = {
    libraryId: move.library_id,
    moves: [...back, ...also.moves],
    overrides: { removed: [...overrides.removed, ...also.removed], added: overrides.added },
    isBack: move.is_back === 0,
    reason: 'undo',
    tells: await existing(db, undoing, lines),
  }
  await nextTurn()
  await giveTags(db, undoing, given)
  const done = await carryOut(db, plan, speaking)
  if (move.is_back === 0) await takeWordsBack(db, undoing, speaking)
  await updateMoveUndone(db, moveId, done.moveId)
  await noteUndone(db, lines, done.historyOf)
  if (move.is_back === 0) await joinInFolders(db, move.library_id, [...comingBack(undoing).keys()], speaking.now)
  if (move.is_back === 0) await forgetBetween(db, undoing)
  return { historyOf: done.historyOf, conflicts: undoing.elsewhere.length > 0 ? ['seriesId'] : [] }
}

/** The books of each series that its grouping keeps there again. */
const comingBack = ({ standing }: Undoing): ReadonlyMap<string, readonly string[]> => {
  const grouped = standing.filter(({ override_before }) => override_before === null)
  const rowsOf = Map.groupBy(grouped, ({ backTo }) => backTo)
  return new Map([...rowsOf].map(([seriesId, rows]) => [seriesId, rows.map(({ book_id }) => book_id)]))
}

const openUndo = async (db: WriteDb, viewer: Viewer, move: MoveRow, force: boolean): Promise<Undoing> => {
  const changes = JSON.parse(move.kept) as AlsoChanged
  const heirs = (seriesIds: Iterable<string>) =>
    selectHeirs(db, move.library_id, [...new Set([...seriesIds, ...changes.into.map(({ id }) => id)])])
  const first = await heirs(await selectSeriesOfMove(db, move.id))
  await lockForMerge(db, [...new Set(first.values())].sort())
  const rows = await selectMovedBooks(db, viewer, move)
  const seriesIds = new Set<string>()
  await mapInTurns(rows, (row) => {
    seriesIds.add(row.from_series_id)
    if (row.into_series_id !== null) seriesIds.add(row.into_series_id)
  })
  const heirOf = await heirs(seriesIds)
  const all = await mapInTurns(rows, (row) => {
    const backTo = heirOf.get(row.from_series_id)
    const isThere = row.into_series_id !== null && heirOf.get(row.into_series_id) === row.series_id
    if (backTo === undefined || row.into_series_id === null) return undefined
    return isThere || row.series_id !== backTo ? { ...row, backTo, isThere } : undefined
  })
  const moved = all.filter((row) => row !== undefined)
  const standing = moved.filter(({ isThere }) => isThere || force)
  const elsewhere = moved.filter(({ isThere }) => !isThere && !force)
  const into = await selectForMerge(db, [...new Set(changes.into.flatMap(({ id }) => heirOf.get(id) ?? []))])
  const stayed = rows.filter((row) => row.into_series_id === null)
  return { move, changes, standing, elsewhere, stayed, viewer, heirOf, into }
}

/**
 * Books that have been moved on since come from where this move had taken them from: when what has moved them on is taken
 * back too, they go there, and not to where they have only been in between.
 */
const forgetBetween = async (db: WriteDb, { move, elsewhere, heirOf }: Undoing): Promise<void> => {
  if (elsewhere.length === 0) return
  const rowOf = new Map(elsewhere.map((row) => [row.book_id, row]))
  const later = await selectMovedOn(db, move, [...rowOf.keys()])
  const next = new Map<string, (typeof later)[number]>()
  for (const row of later) if (!next.has(row.book_id)) next.set(row.book_id, row)
  const rows = [...next.values()].flatMap(({ move_id, book_id, from_series_id: from }) => {
    const row = rowOf.get(book_id)
    const wasBetween = row !== undefined && [from, heirOf.get(from)].includes(heirOf.get(row.into_series_id ?? ''))
    if (!row || !wasBetween) return []
    const { from_series_id, override_before, carried_before } = row
    return [{ move_id, book_id, from_series_id, override_before, carried_before }]
  })
  await updateComingFrom(db, rows)
}

/** What was carried before, unless others have said since how what came with the books is rated. */
const carriedBack = (row: MovedBook, isRatedAnew: boolean): number | null =>
  !isRatedAnew && row.carried_age_rating === row.carried_after
    ? row.carried_before
    : (row.age_rating ?? row.carried_age_rating)

/** What people have given since to the series that books came into counts for what goes back from there. */
const readGiven = async (db: ReadDb, { move, changes, heirOf, into }: Undoing) => {
  const then = new Map(changes.into.map((each) => [heirOf.get(each.id), each]))
  const tags = new Map(
    into.map(({ id, tagIds }) => [id, tagIds.filter((tag) => !(then.get(id)?.tagIds ?? tagIds).includes(tag))]),
  )
  const brought = await readBrought(db, { move, heirOf, into })
  for (const [id, some] of tags)
    tags.set(
      id,
      some.filter((tag) => !brought.has(`${id} ${tag}`)),
    )
  const all = [...tags.values()].flat()
  const keepsOut = new Set(await selectGrantedTags(db, all, ['deny']))
  const letsIn = new Set(await selectGrantedTags(db, all, ['allow']))
  const isSafe = (tag: string): boolean => keepsOut.has(tag) || !letsIn.has(tag)
  const rated = new Set(
    into.filter(({ id, own_age_rating }) => then.get(id)?.ownAgeRating !== own_age_rating).map(({ id }) => id),
  )
  return {
    tagsOf: (seriesId: string): readonly string[] => (tags.get(seriesId) ?? []).filter(isSafe),
    isRatedAnew: (seriesId: string): boolean => rated.has(seriesId),
  }
}

/** Tags that other books have brought along since, which were never given to what goes back: `series tag`. */
const readBrought = async (
  db: ReadDb,
  { move, heirOf, into }: Pick<Undoing, 'move' | 'heirOf' | 'into'>,
): Promise<ReadonlySet<string>> => {
  const brought = new Set<string>()
  for (const { id } of into)
    for (const merge of await selectMergesSince(db, id, move.id))
      for (const tag of await readBroughtBy(db, merge)) brought.add(`${id} ${tag}`)
  for (const kept of await selectKeptSince(
    db,
    move,
    into.map(({ id }) => id),
  ))
    for (const { id, addedTagIds } of (JSON.parse(kept) as AlsoChanged).into)
      for (const tag of addedTagIds) brought.add(`${heirOf.get(id) ?? id} ${tag}`)
  return brought
}

const readBroughtBy = async (db: ReadDb, { id, into_id }: MergeRow): Promise<readonly string[]> => {
  const read = await readMergeRecords(db, id)
  const before = read<TagsOf>('tags').find((each) => each.id === into_id)?.tagIds ?? []
  const after = read<{ readonly tagIds: readonly string[] }>('after').flatMap(({ tagIds }) => tagIds)
  return after.filter((tag) => !before.includes(tag))
}

type Given = Awaited<ReturnType<typeof readGiven>>

/** Tags that came with the books go from where nothing else has come in since; those given there since go back with the books. */
const giveTags = async (
  db: WriteDb,
  { move, changes, standing, heirOf, into }: Undoing,
  given: Given,
): Promise<void> => {
  if (move.is_back === 1) return
  for (const [backTo, rows] of Map.groupBy(standing, (row) => row.backTo)) {
    const tags = new Set(rows.flatMap(({ series_id }) => given.tagsOf(series_id)))
    await insertSharingTags(db, backTo, [...tags])
  }
  const ids = into.map(({ id }) => id)
  const entered = await selectEnteredSince(db, move, ids)
  for (const { id, addedTagIds } of changes.into) {
    const there = into.find((each) => each.id === heirOf.get(id))
    if (!there || there.id !== id || entered.has(id) || addedTagIds.length === 0) continue
    await replaceTags(
      db,
      id,
      there.tagIds.filter((tag) => !addedTagIds.includes(tag)),
    )
  }
}

/** It returns what was decided of the books that go back, and of folders, if nobody has decided otherwise since. */
const overridesOfThen = async (db: ReadDb, { move, changes, standing, heirOf }: Undoing) => {
  const ids = standing.map(({ book_id }) => book_id)
  const ofBooks = await selectOverridesOfBooks(db, move.library_id, ids)
  const ofFolders = await selectOverridesById(db, changes.addedIds)
  const before = [
    ...standing.flatMap((row) =>
      row.override_before === null ? [] : [JSON.parse(row.override_before) as OverrideRow],
    ),
    ...changes.removed,
  ]
  const there = before.flatMap((row) => {
    const seriesId = heirOf.get(row.series_id) ?? row.series_id
    return [{ ...row, series_id: seriesId }]
  })
  const existing = new Set(
    (
      await selectForMerge(
        db,
        there.map(({ series_id }) => series_id),
      )
    ).map(({ id }) => id),
  )
  const folders = there.flatMap(({ folder }) => folder ?? [])
  const taken = new Set(
    (await selectOverridesOfFolders(db, move.library_id, folders))
      .filter(({ id }) => !changes.addedIds.includes(id))
      .map(({ folder }) => folder),
  )
  const again = new Set(
    (
      await selectOverridesById(
        db,
        there.map(({ id }) => id),
      )
    ).map(({ id }) => id),
  )
  const replaced = new Set(ofBooks.map(({ id }) => id))
  return {
    removed: [...ofBooks, ...ofFolders],
    added: there.filter(
      ({ id, series_id, folder }) =>
        existing.has(series_id) && (folder === null || !taken.has(folder)) && (!again.has(id) || replaced.has(id)),
    ),
  }
}

/** What has come through folders that go nowhere any more goes where the grouping says. */
const comingAlong = async (
  db: WriteDb,
  { move, viewer, standing }: Undoing,
  removed: readonly OverrideRow[],
  { now }: Speaking,
) => {
  const folders = removed.filter(({ folder }) => folder !== null).map(({ id }) => id)
  const own = new Set<string>()
  await mapInTurns(standing, ({ book_id }) => own.add(book_id))
  const through = (await selectOverridesThrough(db, folders)).filter(({ book_id }) => !own.has(book_id ?? ''))
  const moves = await planByGrouping(db, viewer, { libraryId: move.library_id, through }, now)
  return { removed: through, moves }
}

interface Leaving {
  readonly libraryId: string
  /** They hold no longer. */
  readonly through: readonly OverrideRow[]
}

/** Where books go that are kept nowhere any more by these overrides. */
export const planByGrouping = async (
  db: WriteDb,
  viewer: Viewer,
  { libraryId, through }: Leaving,
  now: Date,
): Promise<PlannedMove['moves']> => {
  await deleteOverrides(
    db,
    through.map(({ id }) => id),
  )
  const ids = through.flatMap(({ book_id }) => book_id ?? [])
  const seriesOf = new Map(
    (await movesByGrouping(db, libraryId, ids, now)).map(({ bookId, seriesId }) => [bookId, seriesId]),
  )
  return (await selectBooksToMove(db, viewer, ids)).flatMap((row) => {
    const seriesId = seriesOf.get(row.id)
    if (seriesId === undefined) return []
    return [
      {
        bookId: row.id,
        seriesId,
        from: row.series_id,
        ageRating: row.age_rating,
        carriedBefore: row.carried_age_rating,
      },
    ]
  })
}

/** Each line that told of it names the line of its series that tells of its end. */
const noteUndone = async (
  db: WriteDb,
  lines: readonly StoredChange[],
  historyOf: ReadonlyMap<string, string>,
): Promise<void> => {
  await setUndoneBy(
    db,
    lines.flatMap((change) => {
      const undoneBy = historyOf.get(change.entityId)
      return undoneBy === undefined ? [] : [{ change, undoneBy }]
    }),
  )
}

const existing = async (db: ReadDb, { move }: Undoing, lines: readonly StoredChange[]): Promise<readonly string[]> => {
  const ids = lines.map(({ entityId }) => entityId)
  const heirs = await selectHeirs(db, move.library_id, ids)
  return ids.filter((id) => heirs.get(id) === id)
}

/** Series are rated by the books that are back, and called as before without what was said for them. */
const takeWordsBack = async (db: WriteDb, { changes, stayed, heirOf }: Undoing, speaking: Speaking): Promise<void> => {
  const words = changes.words.filter(({ seriesId }) => heirOf.get(seriesId) === seriesId)
  for (const { seriesId: id, historyId } of words)
    await undoMergedWords(db, { entity: 'series', id, historyId }, speaking)
  const carrying = stayed.filter((row) => row.from_series_id === row.series_id && row.carried_age_rating === null)
  await setCarriedRatings(
    db,
    carrying.map(({ book_id, carried_before }) => ({ id: book_id, carried: carried_before })),
  )
  if (carrying.length === 0) return
  const seriesWithBooks = new Set(carrying.map(({ series_id }) => series_id))
  await announceRefreshed(db, await refresh(db, { seriesWithBooks, isEdit: true }, speaking.now), speaking.now)
}
