import type { ReadDb, WriteDb } from '../../../../database/database.ts'
import { noteLists, storeListClaims } from '../../../member-lists/member-lists.ts'
import { claimsIn, claimsText, listsIn, ofLists } from './claims.ts'
import type { Tally } from './derive.ts'
import {
  type ClaimsOfBook,
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
import { type BookSources, readSources } from './sources.ts'

export interface ClaimsTouched {
  /** Something else may be said by these, or they stand elsewhere. */
  readonly bookIds: readonly string[]
  /** What some of them say, where it has just been read. */
  readonly sources: ReadonlyMap<string, BookSources>
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
 * What a book claims is stored beside where it is counted, so that it is taken away from there whatever has happened since. It
 * answers what is counted by now of all series that are worked out anew.
 */
export const settleClaims = async (db: WriteDb, touched: ClaimsTouched, now: Date): Promise<Tallies> => {
  const { seriesIds, allSeriesIds, isInDoubt } = touched
  const changes = [...(await settleOwnClaims(db, touched, now)), ...(await settleOthers(db, seriesIds))]
  if (!isInDoubt || seriesIds.length === 0) return applyChanges(db, changes, allSeriesIds)
  await applyChanges(db, changes, [])
  await deleteTallies(db, seriesIds)
  await upsertTallies(db, await countClaims(db, seriesIds))
  return readTallies(db, allSeriesIds)
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
  await applyChanges(db, before.flatMap(withdrawal), [])
}

/** The same while it is being counted. */
type Counts = Map<string, Map<string, Map<string, number>>>

export const readTallies = async (db: ReadDb, seriesIds: readonly string[]): Promise<Counts> =>
  talliesOf(await selectTallies(db, seriesIds))

export const talliesOf = (rows: readonly TallyRow[]): Counts => {
  const tallies: Counts = new Map()
  for (const row of rows) valuesIn(tallies, row).set(row.value, row.books)
  return tallies
}

const valuesIn = (
  tallies: Counts,
  { series_id, field }: Pick<TallyRow, 'series_id' | 'field'>,
): Map<string, number> => {
  const tally = tallies.get(series_id) ?? new Map<string, Map<string, number>>()
  tallies.set(series_id, tally)
  const values = tally.get(field) ?? new Map<string, number>()
  tally.set(field, values)
  return values
}

/** What has changed of what these books claim, and of where it is counted. */
const settleOwnClaims = async (
  db: WriteDb,
  { bookIds: given, sources, allSeriesIds, isInDoubt }: ClaimsTouched,
  now: Date,
): Promise<readonly Change[]> => {
  const bookIds = [...new Set([...given, ...(await selectUncountedBooks(db, allSeriesIds))])]
  const unread = bookIds.filter((id) => !sources.has(id))
  const sourcesOf = new Map([...sources, ...(await readSources(db, unread))])
  const all = (await selectClaims(db, bookIds)).map((before) => ({
    before,
    claims: claimsText(sourcesOf.get(before.book_id)) ?? null,
  }))
  const others = all.filter(({ before, claims }) => claims !== before.claims)
  await deleteClaims(
    db,
    others.filter(({ claims }) => claims === null).map(({ before }) => before.book_id),
  )
  const changed = all.filter(({ before, claims }) => claims !== before.claims || isMiscounted(before))
  await upsertClaims(
    db,
    changed.flatMap(({ before: { book_id, counts_in }, claims }) =>
      claims === null ? [] : [{ book_id, claims, counted_in: counts_in }],
    ),
  )
  const inLists = (isInDoubt ? all : others)
    .map(({ before, claims }) => ({ bookId: before.book_id, lists: listsIn(claims), were: listsIn(before.claims) }))
    .filter(({ lists, were }) => isInDoubt || lists.length + were.length > 0)
  await storeListClaims(db, inLists, now)
  return changed.flatMap(({ before, claims }) => [...withdrawal(before), ...addition({ ...before, claims })])
}

/** The same for books that were or are in these series, and say what they said. */
const settleOthers = async (db: WriteDb, seriesIds: readonly string[]): Promise<readonly Change[]> => {
  const miscounted = await selectMiscountedClaims(db, seriesIds)
  await updateCountedIn(
    db,
    miscounted.map(({ book_id, counts_in }) => ({ book_id, counted_in: counts_in })),
  )
  return miscounted.flatMap((row) => [...withdrawal(row), ...addition(row)])
}

const isMiscounted = ({ claims, counted_in, counts_in }: ClaimsOfBook): boolean =>
  claims !== null && counted_in !== counts_in

interface Change {
  readonly seriesId: string | null
  readonly claims: string
  /** How many books more or fewer claim this. */
  readonly books: number
}

const withdrawal = ({ claims, counted_in }: ClaimsOfBook): Change[] =>
  claims === null ? [] : [{ seriesId: counted_in, claims, books: -1 }]

const addition = ({ claims, counts_in }: ClaimsOfBook): Change[] =>
  claims === null ? [] : [{ seriesId: counts_in, claims, books: 1 }]

/** It answers what is counted of these series, and of those that have changed, once all is added and taken away. */
const applyChanges = async (
  db: WriteDb,
  changes: readonly Change[],
  seriesIds: readonly string[],
): Promise<Tallies> => {
  const rows = changedRows(changes)
  const changedIds = [...new Set(rows.map(({ series_id }) => series_id))]
  const tallies = await readTallies(db, [...new Set([...seriesIds, ...changedIds])])
  const counted = rows.flatMap((row) => {
    const values = valuesIn(tallies, row)
    const before = values.get(row.value) ?? 0
    const books = before + row.books
    if (books > 0) values.set(row.value, books)
    else dropValue(tallies, row)
    // What was counted in a series that is gone went with it.
    return before > 0 || row.books > 0 ? [{ ...row, books }] : []
  })
  await upsertTallies(db, counted)
  if (counted.some(({ books }) => books <= 0)) await deleteEmptyTallies(db, changedIds)
  return tallies
}

const dropValue = (tallies: Counts, { series_id, field, value }: TallyRow): void => {
  const tally = tallies.get(series_id)
  const values = tally?.get(field)
  values?.delete(value)
  if (values?.size === 0) tally?.delete(field)
  if (tally?.size === 0) tallies.delete(series_id)
}

/** How many books more or fewer claim what. */
export const changedRows = (changes: readonly Change[]): readonly TallyRow[] => {
  const totals: Counts = new Map()
  for (const [seriesId, alike] of sumAlike(changes))
    for (const [claims, books] of alike) if (books !== 0) addClaims(totals, seriesId, { claims, books })
  const rows: TallyRow[] = []
  for (const [series_id, tally] of totals) addRows(rows, series_id, tally)
  return rows
}

/** Most books of a folder claim the same by their path: it is read once. */
const sumAlike = (changes: readonly Change[]): ReadonlyMap<string, ReadonlyMap<string, number>> => {
  const gathered = new Map<string, Map<string, number>>()
  for (const { seriesId, claims, books } of changes) {
    if (seriesId === null) continue
    const alike = gathered.get(seriesId) ?? new Map<string, number>()
    gathered.set(seriesId, alike.set(claims, (alike.get(claims) ?? 0) + books))
  }
  return gathered
}

const addRows = (
  rows: TallyRow[],
  series_id: string,
  tally: ReadonlyMap<string, ReadonlyMap<string, number>>,
): void => {
  for (const [field, values] of tally)
    for (const [value, books] of values) if (books !== 0) rows.push({ series_id, field, value, books })
}

const addClaims = (totals: Counts, series_id: string, { claims, books }: Pick<Change, 'claims' | 'books'>): void => {
  const claimed = claimsIn(claims)
  for (const field of Object.keys(claimed)) {
    if (field === ofLists) continue
    const counted = valuesIn(totals, { series_id, field })
    for (const value of claimed[field] ?? []) counted.set(value, (counted.get(value) ?? 0) + books)
  }
}
