import { type BookDto, type Home, type HomeShelf, homeShelves } from '@carrel/api'
import type { Database, ReadDb } from '../../database/database.ts'
import { firstBooks, firstSeries } from '../../catalogue/lists/lists.ts'
import { showBooksById } from '../books/books.ts'
import { findPreference, savePreferences } from '../preferences/preferences.ts'
import { showSeriesById } from '../series/series.ts'
import { narrowedTo, seesWholeLibraries, type Viewer } from '../../catalogue/visibility/visibility.ts'
import { selectFinished, selectFollowedUnread, selectOnDeck, selectOpenBooks } from './queries.ts'

export { selectOnDeck } from './queries.ts'

/** The layout is one of the user's preferences, so that it follows them to every device. */
const layoutKey = 'home.layout'

interface HomeQuery {
  readonly limit: number
  readonly libraryId?: string | undefined
}

type HomeRequest = HomeQuery & { readonly db: ReadDb; readonly viewer: Viewer }

const idsOf = async (rows: Promise<readonly { readonly id: string }[]>): Promise<string[]> =>
  (await rows).map(({ id }) => id)

const newest = { field: 'createdAt', direction: 'desc' } as const
const latest = { field: 'updatedAt', direction: 'desc' } as const

const shelves: Readonly<Record<HomeShelf, (request: HomeRequest) => Promise<string[]>>> = {
  continueReading: ({ db, viewer, limit }) => selectOpenBooks(db, viewer, limit),
  onDeck: ({ db, viewer, limit }) => selectOnDeck(db, viewer, limit),
  followedUnread: ({ db, viewer, limit }) => selectFollowedUnread(db, viewer, limit),
  recentlyAddedBooks: ({ db, viewer, ...query }) => idsOf(firstBooks(db, viewer, newest, query)),
  recentlyAddedSeries: ({ db, viewer, ...query }) => idsOf(firstSeries(db, viewer, newest, query)),
  recentlyUpdatedSeries: ({ db, viewer, ...query }) => idsOf(firstSeries(db, viewer, latest, query)),
  recentlyFinished: ({ db, viewer, limit }) => selectFinished(db, viewer, limit),
}

const ofSeries = ['followedUnread', 'recentlyAddedSeries', 'recentlyUpdatedSeries'] as const
const ofBooks = ['continueReading', 'onDeck', 'recentlyAddedBooks', 'recentlyFinished'] as const

/**
 * The number of statements is that of the shelves, and one for each thing a book or a series shows, however much it is.
 */
export const readHome = async (
  db: Pick<Database, 'read' | 'readSlowly'>,
  everywhere: Viewer,
  query: HomeQuery,
): Promise<Home> => {
  const { viewer, reader } = scopeOf(db, everywhere, query)
  const layout = await readLayout(reader, viewer.userId)
  const ids = Object.fromEntries(homeShelves.map((shelf): [string, string[]] => [shelf, []])) as Record<
    HomeShelf,
    string[]
  >
  for (const shelf of layout) ids[shelf] = await shelves[shelf]({ ...query, db: reader, viewer })
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
  everywhere: Viewer,
  shelf: 'continueReading' | 'onDeck',
  query: HomeQuery,
): Promise<BookDto[]> => {
  const { viewer, reader } = scopeOf(db, everywhere, query)
  return showBooksById(reader, viewer, await shelves[shelf]({ ...query, db: reader, viewer }))
}

const scopeOf = (db: Pick<Database, 'read' | 'readSlowly'>, everywhere: Viewer, { libraryId }: HomeQuery) => {
  const viewer = libraryId === undefined ? everywhere : narrowedTo(everywhere, libraryId)
  // For a viewer who sees or asks for only part of a library, many rows may have to be skipped.
  return { viewer, reader: libraryId === undefined && seesWholeLibraries(viewer) ? db.read : db.readSlowly }
}

const byId = <Item extends { readonly id: string }>(items: readonly Item[]): ReadonlyMap<string, Item> =>
  new Map(items.map((item) => [item.id, item]))

/** Anything else that was written into the preference is ignored. */
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
