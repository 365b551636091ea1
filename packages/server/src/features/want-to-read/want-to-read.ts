import {
  type ListAnswer,
  type ListedWantToRead,
  type ManyWantToReadEntries,
  type NewWantToReadEntry,
  type WantToReadEntryDto,
  wantToReadMax,
  type WantToReadOrder,
} from '@carrel/api'
import type { Database, ReadDb, WriteDb } from '../../database/database.ts'
import type { NamedWrite } from '../../database/named-write.ts'
import { full, invalid, notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import type { Paging } from '../../platform/paging.ts'
import { lockUser } from '../../database/lock-user.ts'
import { forReader } from '../../database/whom-it-concerns.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import { showBooksById } from '../books/books.ts'
import { showSeriesById } from '../series/series.ts'
import {
  countEntries,
  countKept,
  deleteEntries,
  deleteEntry,
  insertEntries,
  selectNextPosition,
  orderEntries,
  selectCandidates,
  selectEntries,
  selectEntry,
} from './queries.ts'

export { wantToReadRules } from './merge-rules.ts'

export const listWantToRead = async (
  db: ReadDb,
  viewer: Viewer,
  sort: WantToReadOrder,
  { kind, ...paging }: Paging & { readonly kind?: 'series' | 'book' },
): Promise<ListAnswer<WantToReadEntryDto>> => {
  const total = await countEntries(db, viewer, kind)
  return { total, data: paging.offset < total ? await selectEntries(db, viewer, sort, { ...paging, kind }) : [] }
}

/** The same, each with what a list shows of it. */
export const showWantToRead = async (
  db: ReadDb,
  viewer: Viewer,
  sort: WantToReadOrder,
  paging: Paging,
): Promise<ListAnswer<ListedWantToRead>> => {
  const { total, data } = await listWantToRead(db, viewer, sort, paging)
  const series = await showSeriesById(
    db,
    viewer,
    data.flatMap(({ seriesId }) => seriesId ?? []),
  )
  const books = await showBooksById(
    db,
    viewer,
    data.flatMap(({ bookId }) => bookId ?? []),
  )
  const shownSeries = new Map(series.map((each) => [each.id, each]))
  const shownBooks = new Map(books.map((each) => [each.id, each]))
  return {
    total,
    data: data.map((entry) => ({
      ...entry,
      series: shownSeries.get(entry.seriesId ?? '') ?? null,
      book: shownBooks.get(entry.bookId ?? '') ?? null,
    })),
  }
}

interface EntryToAdd {
  readonly viewer: Viewer
  readonly kind: 'series' | 'book'
  readonly id: string
  readonly now: Date
}

export const wantedEntry: NamedWrite<EntryToAdd, WantToReadEntryDto> = {
  name: 'want to read',
  lockedUser: ({ viewer }) => viewer.userId,
  work: async (db, { viewer, kind, id, now }) => {
    await lockUser(db, viewer.userId)
    const candidates = await selectCandidates(db, viewer, kind, [id])
    if (!candidates.has(id)) throw notFound(kind)
    await add(
      db,
      viewer,
      { series: kind === 'series' ? candidates : new Map(), book: kind === 'book' ? candidates : new Map() },
      now,
    )
    const entry = await selectEntry(db, viewer, kind, id)
    if (!entry) throw notFound(kind)
    return entry
  },
}

export const want = (
  db: Database,
  viewer: Viewer,
  { seriesId = null, bookId = null }: NewWantToReadEntry,
  now: Date,
): Promise<WantToReadEntryDto> => {
  const id = seriesId ?? bookId
  if (id === null || (seriesId !== null && bookId !== null)) throw invalid('', 'Give either seriesId or bookId.')
  return db.writeNamed(wantedEntry, { viewer, kind: seriesId === null ? 'book' : 'series', id, now })
}

export const wantMany = (
  db: Database,
  viewer: Viewer,
  { seriesIds = [], bookIds = [] }: ManyWantToReadEntries,
  now: Date,
): Promise<{ added: number; alreadyPresent: number }> =>
  db.write(async (db) => {
    await lockUser(db, viewer.userId)
    const series = await selectCandidates(db, viewer, 'series', seriesIds)
    const books = await selectCandidates(db, viewer, 'book', bookIds)
    const inOrder = (ids: readonly string[], candidates: Candidates): Candidates =>
      new Map(ids.flatMap((id) => [candidates.get(id)].flatMap((each) => (each ? [[id, each] as const] : []))))
    const candidates = { series: inOrder(seriesIds, series), book: inOrder(bookIds, books) }
    const added = await add(db, viewer, candidates, now)
    return { added, alreadyPresent: series.size + books.size - added }
  })

type Candidates = ReadonlyMap<string, { readonly isListed: boolean }>

const add = async (
  db: WriteDb,
  { userId }: Viewer,
  listed: { readonly series: Candidates; readonly book: Candidates },
  now: Date,
): Promise<number> => {
  const newOnes = ([...candidates]: Iterable<readonly [string, { readonly isListed: boolean }]>): string[] =>
    candidates.filter(([, { isListed }]) => !isListed).map(([id]) => id)
  const newEntries = [
    ...newOnes(listed.series).map((id) => ({ series_id: id, book_id: null })),
    ...newOnes(listed.book).map((id) => ({ series_id: null, book_id: id })),
  ]
  if (newEntries.length === 0) return 0
  if ((await countKept(db, userId)) + newEntries.length > wantToReadMax)
    throw full(wantToReadMax, `Your list would have more than ${wantToReadMax} entries. Take some off it first.`)
  const first = await selectNextPosition(db, userId)
  const row = { user_id: userId, added_at: now.toISOString() }
  const rows = newEntries.map((each, index) => ({
    id: newId(now.getTime()),
    ...each,
    ...row,
    position: first + index,
  }))
  await forReader(userId, () => insertEntries(db, rows))
  return newEntries.length
}

/** What somebody wants to read elsewhere, in its order. */
export interface BroughtWant {
  readonly kind: 'series' | 'book'
  readonly itemId: string
  readonly at: string
}

/** In the transaction of whoever brings them; the viewer is the reader and sees everything. It returns the new entries. */
export const bringWants = async (
  db: WriteDb,
  viewer: Viewer,
  wants: readonly BroughtWant[],
  now: Date,
): Promise<readonly string[]> => {
  const { userId } = viewer
  await lockUser(db, userId)
  const listed = async (kind: BroughtWant['kind']) =>
    selectCandidates(
      db,
      viewer,
      kind,
      wants.flatMap((each) => (each.kind === kind ? each.itemId : [])),
    )
  const candidates = { series: await listed('series'), book: await listed('book') }
  const room = wantToReadMax - (await countKept(db, userId))
  const first = await selectNextPosition(db, userId)
  const rows = wants
    .filter(({ kind, itemId }) => candidates[kind].get(itemId)?.isListed === false)
    .slice(0, Math.max(0, room))
    .map(({ kind, itemId, at }, index) => ({
      id: newId(now.getTime()),
      user_id: userId,
      series_id: kind === 'series' ? itemId : null,
      book_id: kind === 'book' ? itemId : null,
      position: first + index,
      added_at: at,
    }))
  await forReader(userId, () => insertEntries(db, rows))
  return rows.map(({ id }) => id)
}

export const takeWantsBack = (db: WriteDb, ids: readonly string[]): Promise<void> => deleteEntries(db, ids)

export const orderWantToRead = (db: Database, userId: string, ids: readonly string[]): Promise<undefined> =>
  db.write(async (db) => {
    await lockUser(db, userId)
    const stranger = await forReader(userId, () => orderEntries(db, userId, ids))
    if (stranger !== undefined) throw notFound(`entry as ${stranger}`)
    return undefined
  })

interface WantedNoMore {
  readonly userId: string
  readonly kind: 'series' | 'book'
  readonly id: string
}

export const droppedEntry: NamedWrite<WantedNoMore, undefined> = {
  name: 'want to read no more',
  work: async (db, { userId, kind, id }) => {
    await forReader(userId, () => deleteEntry(db, userId, kind, id))
    return undefined
  },
}

export const wantNoMore = (db: Database, userId: string, kind: 'series' | 'book', id: string): Promise<undefined> =>
  db.writeNamed(droppedEntry, { userId, kind, id })
