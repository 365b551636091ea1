import type { ReadDb, WriteDb } from '../../../../database/database.ts'
import { noteLists, storeListClaims } from '../../../member-lists/member-lists.ts'
import { type Layer, readLayers, type SeriesShown } from '../../../metadata/metadata.ts'
import type { StoredLayer } from '../../books/layers.ts'
import { type Claims, claimsOf, listsIn, ofLists } from './claims.ts'
import { readClaimsOfPaths } from './claims-of-paths.ts'
import type { Tally } from './derive.ts'
import {
  type ClaimRow,
  deleteClaims,
  deleteEmptyTallies,
  deleteTallies,
  selectClaims,
  selectCountedClaims,
  selectMiscountedClaims,
  selectTallies,
  selectUncountedBooks,
  type TallyRow,
  updateCountedIn,
  upsertClaims,
  upsertTallies,
} from './queries.ts'

export interface ClaimsTouched {
  /** Something else may be said by these, or they stand elsewhere. */
  readonly bookIds: readonly string[]
  /** Books of these have come and gone. */
  readonly seriesIds: readonly string[]
  /** All series of which anything is worked out anew. */
  readonly allSeriesIds: readonly string[]
  /** What is counted of these series may be anything. */
  readonly isInDoubt: boolean
}

/** How many books claim what, by series; a series of which nobody says anything has none. */
export type Tallies = ReadonlyMap<string, Tally>

/**
 * Counts anew what has been touched, and nothing else: a series of ten thousand books whose one tag has changed is not read again.
 * What a book claims is stored beside where it is counted, so that it is taken away from there whatever has happened since.
 */
export const settleClaims = async (db: WriteDb, touched: ClaimsTouched, now: Date): Promise<void> => {
  const { seriesIds, isInDoubt } = touched
  const uncounted = await selectUncountedBooks(db, touched.allSeriesIds)
  const bookIds = [...new Set([...touched.bookIds, ...uncounted])]
  const withdrawn = await storeClaims(db, bookIds, { isInDoubt, now })
  const miscounted = await selectMiscountedClaims(db, { bookIds, seriesIds })
  await updateCountedIn(
    db,
    miscounted.map(({ book_id, counts_in }) => ({ book_id, counted_in: counts_in })),
  )
  await applyChanges(db, [
    ...withdrawn,
    ...miscounted.flatMap(({ claims, counted_in, counts_in }): Change[] => [
      { seriesId: counted_in, claims, books: -1 },
      { seriesId: counts_in, claims, books: 1 },
    ]),
  ])
  if (!isInDoubt || seriesIds.length === 0) return
  await deleteTallies(db, seriesIds)
  await upsertTallies(db, await countClaims(db, seriesIds))
}

/** How many books of these series claim what, counted from the beginning. */
export const countClaims = async (db: ReadDb, seriesIds: readonly string[]): Promise<readonly TallyRow[]> => {
  const counted = await selectCountedClaims(db, seriesIds)
  return changedRows(counted.map(({ counted_in, claims }) => ({ seriesId: counted_in, claims, books: 1 })))
}

/** Books that go for ever take their claims with them. */
export const forgetClaims = async (db: WriteDb, bookIds: readonly string[], now: Date): Promise<void> => {
  await noteLists(db, { bookIds, seriesIds: [] }, now)
  const before = await selectClaims(db, bookIds)
  await deleteClaims(db, bookIds)
  await applyChanges(db, [...before.values()].map(withdrawal))
}

const withdrawal = ({ counted_in, claims }: ClaimRow): Change => ({ seriesId: counted_in, claims, books: -1 })

export const readTallies = async (db: ReadDb, seriesIds: readonly string[]): Promise<Tallies> => {
  const rows = Map.groupBy(await selectTallies(db, seriesIds), ({ series_id }) => series_id)
  return new Map([...rows].map(([id, ofSeries]) => [id, tallyOf(ofSeries)]))
}

export const tallyOf = (rows: readonly TallyRow[]): Tally => {
  const byField = Map.groupBy(rows, ({ field }) => field)
  return new Map([...byField].map(([field, each]) => [field, new Map(each.map(({ value, books }) => [value, books]))]))
}

/** It stores what these books claim by now, counted nowhere yet, and returns what is to be taken away of what they claimed. */
const storeClaims = async (
  db: WriteDb,
  bookIds: readonly string[],
  { isInDoubt, now }: { readonly isInDoubt: boolean; readonly now: Date },
): Promise<readonly Change[]> => {
  const layers = await readLayers<StoredLayer>(db, bookIds)
  const claimsOfPaths = await readClaimsOfPaths(db, bookIds, layers)
  const before = await selectClaims(db, bookIds)
  const all = bookIds.map((id) => ({ id, claims: textOf(layers.get(id) ?? [], claimsOfPaths.get(id)) }))
  const others = all.filter(({ id, claims }) => claims !== before.get(id)?.claims)
  await deleteClaims(
    db,
    others.filter(({ claims }) => claims === undefined).map(({ id }) => id),
  )
  await upsertClaims(
    db,
    others.flatMap(({ id, claims }) => (claims === undefined ? [] : [{ book_id: id, claims, counted_in: null }])),
  )
  const inLists = (isInDoubt ? all : others)
    .map(({ id, claims }) => ({ bookId: id, lists: listsIn(claims), were: listsIn(before.get(id)?.claims) }))
    .filter(({ lists, were }) => isInDoubt || lists.length + were.length > 0)
  await storeListClaims(db, inLists, now)
  return others.flatMap(({ id }) => before.get(id) ?? []).map(withdrawal)
}

export const textOf = (layers: readonly Layer<StoredLayer>[], claimsOfPath?: SeriesShown): string | undefined => {
  const claims = claimsOf(layers, claimsOfPath)
  return claims === null ? undefined : JSON.stringify(claims)
}

interface Change {
  readonly seriesId: string | null
  readonly claims: string
  /** How many books more or fewer claim this. */
  readonly books: 1 | -1
}

const applyChanges = async (db: WriteDb, changes: readonly Change[]): Promise<void> => {
  const rows = changedRows(changes)
  if (rows.length === 0) return
  const seriesIds = [...new Set(rows.map(({ series_id }) => series_id))]
  const tallies = await readTallies(db, seriesIds)
  const before = ({ series_id, field, value }: TallyRow): number => tallies.get(series_id)?.get(field)?.get(value) ?? 0
  // What was counted in a series that is gone went with it.
  const counted = rows.filter((row) => before(row) > 0 || row.books > 0)
  await upsertTallies(
    db,
    counted.map((row) => ({ ...row, books: before(row) + row.books })),
  )
  await deleteEmptyTallies(db, seriesIds)
}

/** How many books more or fewer claim what. */
export const changedRows = (changes: readonly Change[]): readonly TallyRow[] => {
  const totals = new Map<string, TallyRow>()
  for (const { seriesId, claims, books } of changes)
    for (const [field, value] of seriesId === null ? [] : singleClaims(claims)) {
      const key = `${seriesId} ${field} ${value}`
      const total = (totals.get(key)?.books ?? 0) + books
      totals.set(key, { series_id: seriesId ?? '', field, value, books: total })
    }
  return [...totals.values()].filter(({ books }) => books !== 0)
}

const singleClaims = (claims: string): readonly (readonly [field: string, value: string])[] =>
  Object.entries(JSON.parse(claims) as Claims).flatMap(([field, values]) =>
    field === ofLists ? [] : values.map((value) => [field, value] as const),
  )
