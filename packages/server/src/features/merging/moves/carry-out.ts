import { flag } from '../../../database/flag.ts'
import type { WriteDb } from '../../../database/database.ts'
import { newId } from '../../../platform/ids.ts'
import { mapInTurns, rowsAtOnce } from '../../../platform/turns.ts'
import {
  announceRefreshed,
  deleteOverrides,
  findFalling,
  insertOverrides,
  insertSharingTags,
  moveBooksTo,
  type MoveByHand,
  type OverrideRow,
  refresh,
  selectForMerge,
  type SeriesToMerge,
} from '../../../catalogue/shown/shown.ts'
import { type ChangeToStore, storeChanges } from '../../../catalogue/metadata/metadata.ts'
import { announceBooks } from '../../../catalogue/visibility/visibility.ts'
import { editMany } from '../../editing/editing.ts'
import { insertActs, insertMove, insertMovedBooks, type MovedBookRow, selectCarrying } from './queries.ts'

/** What somebody moves: which books go where, and what is said of books and folders from then on. */
export interface PlannedMove {
  readonly libraryId: string
  readonly moves: readonly (MoveByHand & {
    readonly from: string
    readonly ageRating: number | null
    readonly carriedBefore: number | null
  })[]
  readonly overrides: {
    /** They hold no longer, of books and of folders. */
    readonly removed: readonly OverrideRow[]
    readonly added: readonly OverrideRow[]
  }
  /** It puts back what another one has moved: each is again as it was. */
  readonly isBack: boolean
  readonly reason: ChangeToStore['reason']
  /** Where books go carries all tags of where they come from: whoever moves them has seen to it that this shows nothing. */
  readonly carriesTags?: boolean
  /** Series whose history tells of it, whether a book of theirs goes anywhere or not. */
  readonly tells?: readonly string[]
}

export interface Speaking {
  /** Null: people of another server, of whom nothing is known here. */
  readonly by: string | null
  readonly now: Date
}

/** What a move has changed beside the series of books. */
export interface AlsoChanged {
  /** They were decisions about folders, which an undo puts back. */
  readonly removed: readonly OverrideRow[]
  readonly addedIds: readonly string[]
  /** Ratings and titles that series were given, so that they stay as they are: lines of their history. */
  readonly words: readonly { readonly seriesId: string; readonly historyId: string }[]
  /** It holds what the series had that books came into, when it was done. */
  readonly into: readonly {
    readonly id: string
    readonly tagIds: readonly string[]
    readonly addedTagIds: readonly string[]
    readonly ownAgeRating: number | null
  }[]
}

export interface CarriedOut {
  readonly moveId: string
  readonly movedBooks: number
  /** By series: the line of its history. */
  readonly historyOf: ReadonlyMap<string, string>
}

/** Above this many moved books clients hear of the series alone. */
const toldSingly = 500

/** Does it, with all that follows, and keeps what there was before; in the transaction of the caller. */
export const carryOut = async (db: WriteDb, plan: PlannedMove, speaking: Speaking): Promise<CarriedOut> => {
  const { libraryId, overrides } = plan
  const { now } = speaking
  const moves = plan.moves.filter(({ from, seriesId, carried }) => from !== seriesId || carried !== undefined)
  const [intoIds, fromIds] = [new Set<string>(), new Set<string>()]
  for (const { seriesId, from } of moves) {
    intoIds.add(seriesId)
    fromIds.add(from)
  }
  const before = await selectForMerge(db, [...intoIds])
  await deleteOverrides(
    db,
    overrides.removed.map(({ id }) => id),
  )
  await insertOverrides(db, overrides.added)
  const moved = await moveBooksTo(db, libraryId, moves, now)
  if (plan.carriesTags) await carryAllTags(db, moves)
  const left = plan.isBack ? nothingLeft : await keepRatings(db, [...fromIds], speaking)
  const refreshed = await refresh(db, { placed: moved, series: fromIds, seriesWithBooks: intoIds, isEdit: true }, now)
  const titles = plan.isBack ? [] : await keepTitles(db, before, speaking)
  const moveId = newId(now.getTime())
  const after = await selectForMerge(db, [...intoIds])
  const changes = { ...alsoChanged(plan, before, after), words: [...left.words, ...titles] }
  await insertMove(db, {
    id: moveId,
    library_id: libraryId,
    at: now.toISOString(),
    by_user_id: speaking.by,
    is_back: flag(plan.isBack),
    undone_by: null,
    kept: JSON.stringify(changes satisfies AlsoChanged),
  })
  await insertMovedRows(db, moveId, plan)
  await insertMovedBooks(
    db,
    left.stayed.map((each) => ({ ...each, move_id: moveId })),
  )
  const told = await announceRefreshed(db, refreshed, now)
  if (moves.length <= toldSingly) {
    const others = moves.map(({ bookId }) => bookId).filter((id) => !told.bookIds.has(id))
    await announceBooks(db, 'book_updated', others, now)
  }
  const concerned = new Set(plan.tells)
  for (const { from, seriesId } of plan.moves) concerned.add(seriesId).add(from)
  const historyOf = await writeHistory(db, [...concerned], { moveId, reason: plan.reason }, speaking)
  return { moveId, movedBooks: moves.filter(({ from, seriesId }) => from !== seriesId).length, historyOf }
}

const carryAllTags = async (db: WriteDb, moves: PlannedMove['moves']): Promise<void> => {
  const sources = new Map<string, Set<string>>()
  await mapInTurns(moves, ({ seriesId, from }) => {
    sources.set(seriesId, (sources.get(seriesId) ?? new Set<string>()).add(from))
  })
  for (const [seriesId, fromIds] of sources) {
    const tags = new Set((await selectForMerge(db, [...fromIds])).flatMap(({ tagIds }) => tagIds))
    await insertSharingTags(db, seriesId, [...tags])
  }
}

const alsoChanged = (
  { overrides: { removed, added } }: PlannedMove,
  before: readonly SeriesToMerge[],
  after: readonly SeriesToMerge[],
): Omit<AlsoChanged, 'words'> => ({
  removed: removed.filter(({ folder }) => folder !== null),
  addedIds: added.filter(({ folder }) => folder !== null).map(({ id }) => id),
  into: after.map(({ id, tagIds, own_age_rating }) => {
    const had = before.find((each) => each.id === id)?.tagIds ?? []
    return { id, tagIds, addedTagIds: tagIds.filter((tag) => !had.includes(tag)), ownAgeRating: own_age_rating }
  }),
})

/** Who puts a book into a series does not rename it, whatever the book says. */
const keepTitles = async (
  db: WriteDb,
  before: readonly SeriesToMerge[],
  speaking: Speaking,
): Promise<AlsoChanged['words']> => {
  const after = new Map(
    (
      await selectForMerge(
        db,
        before.map(({ id }) => id),
      )
    ).map(({ id, title }) => [id, title]),
  )
  const words: { seriesId: string; historyId: string }[] = []
  for (const { id, title, book_count } of before) {
    if (book_count === 0 || after.get(id) === title) continue
    const historyIds = await editMany(
      db,
      { entity: 'series', ids: [id], patch: { title } },
      { ...speaking, reason: 'move' },
    )
    words.push(...[...historyIds].map(([seriesId, historyId]) => ({ seriesId, historyId })))
  }
  return words
}

interface Left {
  readonly words: AlsoChanged['words']
  /** Books that carry another rating for it. */
  readonly stayed: readonly Omit<MovedBookRow, 'move_id'>[]
}

const nothingLeft: Left = { words: [], stayed: [] }

/** What has its rating from books that go is rated no lower for that, until somebody says so (W9). */
const keepRatings = async (db: WriteDb, fromIds: readonly string[], speaking: Speaking): Promise<Left> => {
  const falling = await findFalling(db, fromIds)
  const carrying = await selectCarrying(db, [...falling.keys()])
  const words: { seriesId: string; historyId: string }[] = []
  for (const [ageRating, each] of Map.groupBy(falling, ([, rating]) => rating)) {
    const ids = each.map(([id]) => id)
    const historyIds = await editMany(
      db,
      { entity: 'series', ids, patch: { ageRating } },
      { ...speaking, reason: 'move' },
    )
    words.push(...[...historyIds].map(([seriesId, historyId]) => ({ seriesId, historyId })))
  }
  const stayed = carrying.map(({ id, series_id, carried_age_rating }) => ({
    book_id: id,
    from_series_id: series_id,
    into_series_id: null,
    override_before: null,
    carried_before: carried_age_rating,
    // What people say of the series goes before what its books carry.
    carried_after: null,
  }))
  return { words, stayed }
}

const insertMovedRows = async (db: WriteDb, moveId: string, { moves, overrides }: PlannedMove): Promise<void> => {
  const overrideOf = new Map<string | null, OverrideRow>()
  await mapInTurns(overrides.removed, (row) => overrideOf.set(row.book_id, row))
  const rowOf = ({ bookId, from, seriesId, ageRating, carriedBefore, carried }: PlannedMove['moves'][number]) => {
    const override = overrideOf.get(bookId)
    return {
      move_id: moveId,
      book_id: bookId,
      from_series_id: from,
      into_series_id: seriesId,
      override_before: override ? JSON.stringify(override) : null,
      carried_before: carriedBefore,
      carried_after: carried === undefined ? (ageRating ?? carriedBefore) : carried,
    }
  }
  // The rows of a part are made when those of the last are written, so that others are answered between them.
  for (let from = 0; from < moves.length; from += rowsAtOnce)
    await insertMovedBooks(db, moves.slice(from, from + rowsAtOnce).map(rowOf))
}

/** Each series that books have left or come into has a line. It tells no numbers: who reads it may not see all the books. */
const writeHistory = async (
  db: WriteDb,
  seriesIds: readonly string[],
  { moveId, reason }: { readonly moveId: string; readonly reason: ChangeToStore['reason'] },
  { by, now }: Speaking,
): Promise<ReadonlyMap<string, string>> => {
  const lines = seriesIds.map((entityId) => ({
    id: newId(now.getTime()),
    entityId,
    at: now.toISOString(),
    by,
    source: 'user',
    reason,
    changes: [],
    words: {},
  }))
  await storeChanges(db, lines)
  await insertActs(
    db,
    lines.map(({ id }) => id),
    { moveId },
  )
  return new Map(lines.map(({ id, entityId }) => [entityId, id]))
}
