import {
  type BookDto,
  type Home,
  homeLayoutMax,
  type HomeShelf,
  homeShelves,
  saidByPiles,
  type SearchShelf,
  searchShelfPrefix,
} from '@carrel/api'
import type { Database, ReadDb } from '../../database/database.ts'
import { firstBooks, firstSeries } from '../../catalogue/lists/lists.ts'
import { showBooksById } from '../books/books.ts'
import { findPreference, savePreferences } from '../preferences/preferences.ts'
import { showSeriesById } from '../series/series.ts'
import {
  type CachedAnswers,
  narrowedTo,
  seesWholeLibraries,
  sharedAnswers,
  type Viewer,
} from '../../catalogue/visibility/visibility.ts'
import { readPutAside } from './not-now.ts'
import { type Pile, selectPiles } from './piles.ts'
import { selectFinished, selectFollowedUnread, selectOnDeck, selectOpenBooks, selectReadLongAgo } from './queries.ts'

export { selectOnDeck } from './queries.ts'

/** The layout is one of the user's preferences, so that it follows them to every device; one of a device stands beside it. */
const layoutKey = 'home.layout'

interface ShelfQuery {
  readonly limit: number
  readonly libraryId?: string | undefined
}

interface HomeQuery extends ShelfQuery {
  readonly deviceId?: string | undefined
  /** Names of shelves, separated by commas. */
  readonly shelves?: string | undefined
  readonly filled?: number | undefined
  readonly grouped?: boolean | undefined
}

type ShelfRequest = ShelfQuery & { readonly db: ReadDb; readonly viewer: Viewer; readonly now: Date }

const idsOf = async (rows: Promise<readonly { readonly id: string }[]>): Promise<string[]> =>
  (await rows).map(({ id }) => id)

const newest = { field: 'createdAt', direction: 'desc' } as const
const latest = { field: 'updatedAt', direction: 'desc' } as const

const ownBooks = {
  continueReading: async ({ db, viewer, limit }: Omit<ShelfRequest, 'now'>) =>
    selectOpenBooks(db, viewer, limit, await readPutAside(db, viewer.userId)),
  onDeck: ({ db, viewer, limit }: Omit<ShelfRequest, 'now'>) => selectOnDeck(db, viewer, limit),
} as const

const shelves: Readonly<Record<HomeShelf, (request: ShelfRequest) => Promise<string[]>>> = {
  ...ownBooks,
  followedUnread: ({ db, viewer, limit }) => selectFollowedUnread(db, viewer, limit),
  recentlyAddedBooks: ({ db, viewer, ...query }) => idsOf(firstBooks(db, viewer, newest, query)),
  recentlyAddedSeries: ({ db, viewer, ...query }) => idsOf(firstSeries(db, viewer, newest, query)),
  recentlyUpdatedSeries: ({ db, viewer, ...query }) => idsOf(firstSeries(db, viewer, latest, query)),
  recentlyFinished: ({ db, viewer, limit }) => selectFinished(db, viewer, limit),
  readAgain: ({ db, viewer, limit, now }) =>
    selectReadLongAgo(db, viewer, limit, new Date(now.getTime() - longAgoMs).toISOString()),
}

/** Half a year. */
const longAgoMs = 183 * 24 * 60 * 60 * 1000

/** They are the same for all with the same rights, whatever they have read. */
const ofCatalogue: ReadonlySet<HomeShelf> = new Set([
  'recentlyAddedBooks',
  'recentlyAddedSeries',
  'recentlyUpdatedSeries',
])

const ofSeries = ['followedUnread', 'recentlyAddedSeries', 'recentlyUpdatedSeries', 'readAgain'] as const
const ofBooks = ['continueReading', 'onDeck', 'recentlyAddedBooks', 'recentlyFinished'] as const

/** What came last is kept for whoever comes back from a book. */
interface CachedShelves {
  readonly ids: CachedAnswers<string[]>
  readonly piles: CachedAnswers<readonly Pile[]>
}

const keptMax = 64

type ReadHome = (viewer: Viewer, query: HomeQuery, now: Date) => Promise<Home>

export const homesOf = (db: Pick<Database, 'read' | 'readSlowly' | 'changeMark' | 'replica'>): ReadHome => {
  const { read, readSlowly } = db
  const cached = { ids: sharedAnswers<string[]>(db, keptMax), piles: sharedAnswers<readonly Pile[]>(db, keptMax) }
  return (viewer, query, now) => readHome({ read, readSlowly, cached }, viewer, query, now)
}

/**
 * The number of statements is that of the shelves, and one for each thing a book or a series shows, however much it is.
 */
const readHome = async (
  { cached, ...db }: Pick<Database, 'read' | 'readSlowly'> & { readonly cached: CachedShelves },
  everywhere: Viewer,
  query: HomeQuery,
  now: Date,
): Promise<Home> => {
  const { viewer, reader } = scopeOf(db, everywhere, query)
  const { layout, isOfDevice } = await readLayout(reader, viewer.userId, query)
  const request = { limit: query.limit, libraryId: query.libraryId, db: reader, viewer, now }
  const { ids, piles, later } = await fill(request, layout, { ...query, cached })
  const idsAmong = (some: readonly HomeShelf[]) => [...new Set(some.flatMap((shelf) => ids[shelf]))]
  const idsOfBooks = [...new Set([...idsAmong(ofBooks), ...piles.map(({ bookId }) => bookId)])]
  const books = byId(await showBooksById(reader, viewer, idsOfBooks))
  const series = byId(await showSeriesById(reader, viewer, idsAmong(ofSeries)))
  const onShelf = <Item>(items: ReadonlyMap<string, Item>, shelf: HomeShelf): Item[] =>
    ids[shelf].flatMap((id) => items.get(id) ?? [])
  return {
    layout,
    isOfDevice,
    later,
    piles: piles.flatMap(({ bookId, ...pile }) => {
      const book = books.get(bookId)
      return book ? [{ book, ...pile }] : []
    }),
    continueReading: onShelf(books, 'continueReading'),
    onDeck: onShelf(books, 'onDeck'),
    recentlyAddedBooks: onShelf(books, 'recentlyAddedBooks'),
    recentlyAddedSeries: onShelf(series, 'recentlyAddedSeries'),
    recentlyUpdatedSeries: onShelf(series, 'recentlyUpdatedSeries'),
    recentlyFinished: onShelf(books, 'recentlyFinished'),
    followedUnread: onShelf(series, 'followedUnread'),
    readAgain: onShelf(series, 'readAgain'),
  }
}

interface Filled {
  readonly ids: Readonly<Record<HomeShelf, string[]>>
  readonly piles: readonly Pile[]
  readonly later: HomeShelf[]
}

/** It goes from the top down, until there is enough. */
const fill = async (
  request: ShelfRequest,
  layout: Home['layout'],
  { shelves: names, filled = Infinity, grouped = false, cached }: HomeQuery & { readonly cached: CachedShelves },
): Promise<Filled> => {
  const { viewer, limit, libraryId = '' } = request
  const ids = Object.fromEntries(homeShelves.map((shelf): [HomeShelf, string[]] => [shelf, []])) as Record<
    HomeShelf,
    string[]
  >
  const requested = names?.split(',')
  const shownShelves = layout.filter(isHomeShelf).filter((shelf) => requested?.includes(shelf) ?? true)
  let piles: readonly Pile[] = []
  const isFilled = (shelf: HomeShelf): boolean =>
    ids[shelf].length > 0 || (shelf === 'recentlyAddedBooks' && piles.length > 0)
  for (const [position, shelf] of shownShelves.entries()) {
    if (shownShelves.filter(isFilled).length >= filled) return { ids, piles, later: shownShelves.slice(position) }
    if (grouped && shelf === 'recentlyAddedBooks')
      piles = await cached.piles(viewer, `${limit} ${libraryId}`, () => selectPiles(request))
    else if (ofCatalogue.has(shelf))
      ids[shelf] = await cached.ids(viewer, `${shelf} ${limit} ${libraryId}`, () => shelves[shelf](request))
    else ids[shelf] = await shelves[shelf](request)
  }
  return { ids, piles, later: [] }
}

/** One shelf by itself, for those who show them one by one. */
export const readBookShelf = async (
  db: Pick<Database, 'read' | 'readSlowly'>,
  everywhere: Viewer,
  shelf: keyof typeof ownBooks,
  query: ShelfQuery,
): Promise<BookDto[]> => {
  const { viewer, reader } = scopeOf(db, everywhere, query)
  return showBooksById(reader, viewer, await ownBooks[shelf]({ ...query, db: reader, viewer }))
}

const scopeOf = (db: Pick<Database, 'read' | 'readSlowly'>, everywhere: Viewer, { libraryId }: ShelfQuery) => {
  const viewer = libraryId === undefined ? everywhere : narrowedTo(everywhere, libraryId)
  // For a viewer who sees or asks for only part of a library, many rows may have to be skipped.
  return { viewer, reader: libraryId === undefined && seesWholeLibraries(viewer) ? db.read : db.readSlowly }
}

const byId = <Item extends { readonly id: string }>(items: readonly Item[]): ReadonlyMap<string, Item> =>
  new Map(items.map((item) => [item.id, item]))

/** What somebody has arranged for a device comes before what they have arranged for all. */
const readLayout = async (
  db: ReadDb,
  userId: string,
  { deviceId, grouped = false }: Pick<HomeQuery, 'deviceId' | 'grouped'>,
): Promise<{ readonly layout: Home['layout']; readonly isOfDevice: boolean }> => {
  const usual = grouped ? homeShelves.filter((shelf) => !saidByPiles.includes(shelf)) : [...homeShelves]
  const ofDevice = deviceId === undefined ? undefined : layoutIn(await findPreference(db, userId, keyOf(deviceId)))
  if (ofDevice) return { layout: ofDevice, isOfDevice: true }
  return { layout: layoutIn(await findPreference(db, userId, layoutKey)) ?? usual, isOfDevice: false }
}

/** Anything else that was written into the preference is ignored. */
const layoutIn = (stored: unknown): Home['layout'] | undefined => {
  if (!Array.isArray(stored)) return undefined
  const words = stored.filter((word) => typeof word === 'string')
  return [...new Set(words)].filter((word) => isHomeShelf(word) || isSearchShelf(word)).slice(0, homeLayoutMax)
}

const isHomeShelf = (word: string): word is HomeShelf => homeShelves.some((shelf) => shelf === word)

const isSearchShelf = (word: string): word is SearchShelf => word.startsWith(searchShelfPrefix)

const keyOf = (deviceId: string | undefined): string =>
  deviceId === undefined ? layoutKey : `${layoutKey}:${deviceId}`

interface NewLayout {
  readonly layout: Home['layout'] | null
  readonly deviceId?: string | undefined
}

export const saveLayout = async (
  db: Database,
  userId: string,
  { layout, deviceId }: NewLayout,
  now: Date,
): Promise<{ layout: Home['layout'] }> => {
  await savePreferences(db, userId, [{ key: keyOf(deviceId), value: layout, path: '/layout' }], now)
  return { layout: (await readLayout(db.read, userId, { deviceId })).layout }
}
