import { type BookDto, type Home, type HomeShelf, homeShelves } from '@carrel/api'
import type { Database, ReadDb } from '../../database/database.ts'
import { firstBooks, showBooksById } from '../books/books.ts'
import { findPreference, savePreferences } from '../preferences/preferences.ts'
import { firstSeries, showSeriesById } from '../series/series.ts'
import { narrowedTo, seesWholeLibraries, type Viewer } from '../visibility/visibility.ts'
import { selectFinished, selectFollowedUnread, selectOnDeck, selectOpenBooks } from './queries.ts'

/** Among the preferences of a user, so that it goes where they go. */
const layoutKey = 'home.layout'

interface Asked {
  readonly limit: number
  readonly libraryId?: string | undefined
}

type Look = Asked & { readonly db: ReadDb; readonly viewer: Viewer }

const idsOf = async (rows: Promise<readonly { readonly id: string }[]>): Promise<string[]> =>
  (await rows).map(({ id }) => id)

const newest = { field: 'createdAt', direction: 'desc' } as const
const latest = { field: 'updatedAt', direction: 'desc' } as const

const shelves: Readonly<Record<HomeShelf, (look: Look) => Promise<string[]>>> = {
  continueReading: ({ db, viewer, limit }) => selectOpenBooks(db, viewer, limit),
  onDeck: ({ db, viewer, limit }) => selectOnDeck(db, viewer, limit),
  followedUnread: ({ db, viewer, limit }) => selectFollowedUnread(db, viewer, limit),
  recentlyAddedBooks: ({ db, viewer, ...asked }) => idsOf(firstBooks(db, viewer, newest, asked)),
  recentlyAddedSeries: ({ db, viewer, ...asked }) => idsOf(firstSeries(db, viewer, newest, asked)),
  recentlyUpdatedSeries: ({ db, viewer, ...asked }) => idsOf(firstSeries(db, viewer, latest, asked)),
  recentlyFinished: ({ db, viewer, limit }) => selectFinished(db, viewer, limit),
}

const ofSeries = ['followedUnread', 'recentlyAddedSeries', 'recentlyUpdatedSeries'] as const
const ofBooks = ['continueReading', 'onDeck', 'recentlyAddedBooks', 'recentlyFinished'] as const

/** As many statements as there are shelves, and one for each thing a book or a series shows, however much it is. */
export const readHome = async (
  db: Pick<Database, 'read' | 'readSlowly'>,
  everywhere: Viewer,
  asked: Asked,
): Promise<Home> => {
  const viewer = asked.libraryId === undefined ? everywhere : narrowedTo(everywhere, asked.libraryId)
  // With part of a library hidden, or wanted, much may have to be passed over.
  const reader = asked.libraryId === undefined && seesWholeLibraries(viewer) ? db.read : db.readSlowly
  const layout = await readLayout(reader, viewer.userId)
  const ids = Object.fromEntries(homeShelves.map((shelf): [string, string[]] => [shelf, []])) as Record<
    HomeShelf,
    string[]
  >
  for (const shelf of layout) ids[shelf] = await shelves[shelf]({ ...asked, db: reader, viewer })
  const idsAmong = (some: readonly HomeShelf[]) => [...new Set(some.flatMap((shelf) => ids[shelf]))]
  const books = byId(await showBooksById(reader, viewer, idsAmong(ofBooks)))
  const series = byId(await showSeriesById(reader, viewer, idsAmong(ofSeries)))
  const onShelf = <Item>(items: ReadonlyMap<string, Item>, shelf: HomeShelf): Item[] =>
    ids[shelf].flatMap((id) => items.get(id) ?? [])
  return {
    layout,
    continueReading: onShelf(books, 'continueReading'),
    onDeck: onShelf(books, 'onDeck'),
    recentlyAddedBooks: onShelf(books, 'recentlyAddedBooks'),
    recentlyAddedSeries: onShelf(series, 'recentlyAddedSeries'),
    recentlyUpdatedSeries: onShelf(series, 'recentlyUpdatedSeries'),
    recentlyFinished: onShelf(books, 'recentlyFinished'),
    followedUnread: onShelf(series, 'followedUnread'),
  }
}

/** One shelf by itself, for those who show them one by one. */
export const readBookShelf = async (
  db: Pick<Database, 'read' | 'readSlowly'>,
  viewer: Viewer,
  shelf: 'continueReading' | 'onDeck',
  limit: number,
): Promise<BookDto[]> => {
  const reader = seesWholeLibraries(viewer) ? db.read : db.readSlowly
  return showBooksById(reader, viewer, await shelves[shelf]({ db: reader, viewer, limit }))
}

const byId = <Item extends { readonly id: string }>(items: readonly Item[]): ReadonlyMap<string, Item> =>
  new Map(items.map((item) => [item.id, item]))

/** Whatever else may have been written there as a preference is passed over. */
const readLayout = async (db: ReadDb, userId: string): Promise<HomeShelf[]> => {
  const kept = await findPreference(db, userId, layoutKey)
  if (!Array.isArray(kept)) return [...homeShelves]
  return [...new Set(kept.flatMap((word) => homeShelves.find((shelf) => shelf === word) ?? []))]
}

export const saveLayout = async (
  db: Database,
  userId: string,
  layout: readonly HomeShelf[] | null,
  now: Date,
): Promise<{ layout: HomeShelf[] }> => {
  await savePreferences(db, userId, [{ key: layoutKey, value: layout, path: '/layout' }], now)
  return { layout: [...(layout ?? homeShelves)] }
}
