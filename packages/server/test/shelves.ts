import type { Database } from '../src/database/database.ts'
import { insertMany } from '../src/database/many.ts'

/** It holds as much of a series as decides on which shelves it stands, for one user. */
export interface ShelvedSeries {
  readonly id: string
  readonly isVisible: boolean
  readonly books: readonly { readonly id: string; readonly isVisible: boolean; readonly isMissing: boolean }[]
}

interface WrittenBook {
  readonly rating: number | null
  readonly isMissing?: boolean
}

/** A series of which only books show has another number in the world of whoever sees those. */
export const hiddenFrom = 900

export const shelvedFrom = <Written extends { readonly rating: number | null; readonly books: readonly WrittenBook[] }>(
  world: readonly Written[],
  idOf: (kind: 'series' | 'book', number: number) => string,
  sees: (written: Written, rating: number | null) => boolean,
): readonly ShelvedSeries[] =>
  world.map((written, number) => ({
    id: idOf('series', sees(written, written.rating) ? number : hiddenFrom + number),
    isVisible: sees(written, written.rating),
    books: written.books.map(({ rating, isMissing = false }, index) => ({
      id: idOf('book', number * 10 + index),
      isVisible: sees(written, rating),
      isMissing,
    })),
  }))

const at = '2026-11-03T10:00:00.000Z'
const idOf = (kind: 'c' | 'd' | 'e' | 'f', number: number): string =>
  `019aa3b2-${kind}000-7000-8000-${String(number).padStart(12, '0')}`

const spans = [0, 2, 4, 5, 6]
const empty = 9
const automatic = [
  { readStatus: { operator: 'isNot', value: 'unread' } },
  { genre: { operator: 'is', value: 'genre4' } },
  { year: { operator: 'gte', value: 2000 } },
]

/** Some collections hold a series with the next but one, one is empty, and some are automatic. */
export const collectionIds = [...spans, empty, ...automatic.map((_, index) => 10 + index)].map((each) =>
  idOf('c', each),
)
export const readListIds = [...spans, empty].map((each) => idOf('d', each))

const exists = ({ isVisible, books }: ShelvedSeries): boolean => isVisible || books.some((book) => book.isVisible)

const onSpan = <Item>(items: readonly Item[], number: number): Item[] =>
  [items[number], items[(number + 2) % items.length]].flatMap((each) => each ?? [])

const isListed = ({ isVisible, books }: ShelvedSeries): boolean =>
  isVisible && books.some((book) => book.isVisible && !book.isMissing)

const named = (id: string, name: string, number: number) => ({
  id,
  name,
  name_key: name,
  sort_key: name,
  summary: null,
  ordered: (number % 2) as 0 | 1,
  created_at: at.replace('10:', `${10 + number}:`),
  updated_at: at,
})

/** It adds the shelves of a world. */
export const addShelves = async (db: Database, world: readonly ShelvedSeries[]): Promise<void> => {
  const byHand = spans.map((number) => ({ number, series: onSpan(world, number).filter(exists) }))
  const filled = byHand.filter(({ series }) => series.length > 0)
  const lists = byHand.map(({ number, series }) => ({
    number,
    books: series.flatMap(({ books }) => books.filter(({ isVisible }) => isVisible)).toReversed(),
  }))
  const filledLists = lists.filter(({ books }) => books.length > 0)
  const shelf = (number: number) => ({ ...named(idOf('c', number), `Shelf ${number}`, number), condition: null })
  const list = (number: number) => named(idOf('d', number), `List ${number}`, number)
  await db.write(async (db) => {
    await insertMany(db, 'collection', [
      ...filled.map(({ number }) => shelf(number)),
      shelf(empty),
      ...automatic.map((condition, index) => ({
        ...named(idOf('c', 10 + index), `Auto ${index}`, 2 * index),
        condition: JSON.stringify(condition),
      })),
    ])
    await insertMany(
      db,
      'collection_series',
      filled.flatMap(({ number, series }) =>
        series.map(({ id }, position) => ({ collection_id: idOf('c', number), series_id: id, position, added_at: at })),
      ),
    )
    await insertMany(db, 'read_list', [...filledLists.map(({ number }) => list(number)), list(empty)])
    const waiting = { wanted_series_key: 'x', wanted_number: '1', wanted_volume: null, wanted_year: null }
    await insertMany(
      db,
      'read_list_book',
      filledLists.flatMap(({ number, books }) =>
        [...books.map(({ id }) => id), null].map((book_id, position) => ({
          id: idOf('e', number * 100 + (book_id === null ? 99 : Number(book_id.slice(-2)))),
          read_list_id: idOf('d', number),
          book_id,
          // The positions are those they have where nothing is hidden between them.
          position,
          added_at: at,
          wanted_series: 'X',
          ...waiting,
        })),
      ),
    )
  })
}

/** It writes all ratings and want-to-read entries of the user. */
export const furnish = async (db: Database, userId: string, world: readonly ShelvedSeries[]): Promise<void> => {
  const series = world.flatMap((each, number) => (exists(each) ? [{ id: each.id, number }] : []))
  const books = world.flatMap((each, number) =>
    each.books.flatMap(({ id, isVisible }, index) => (isVisible ? [{ id, number: number * 10 + index }] : [])),
  )
  const rating = (number: number) => ({
    user_id: userId,
    id: idOf('f', number),
    rating: 1 + (number % 7),
    notes: `note ${number}`,
    created_at: at,
    updated_at: at,
  })
  const wantRow = (number: number) => ({
    id: idOf('f', 5000 + number),
    user_id: userId,
    position: number,
    added_at: at.replace('10:', `${10 + (number % 10)}:`),
  })
  await db.write(async (db) => {
    await insertMany(
      db,
      'series_rating',
      series.map(({ id, number }) => ({ ...rating(number), series_id: id })),
    )
    await insertMany(
      db,
      'book_rating',
      books.map(({ id, number }) => ({ ...rating(1000 + number), book_id: id })),
    )
    await insertMany(db, 'want_to_read', [
      ...series.map(({ id, number }) => ({ ...wantRow(number), series_id: id, book_id: null })),
      ...books.map(({ id, number }) => ({ ...wantRow(1000 + number), series_id: null, book_id: id })),
    ])
  })
}

/** It returns whether somebody with these rights sees this shelf or list. */
export const isOnShelf = (
  world: readonly ShelvedSeries[],
  of: 'collection' | 'readList',
  id: string,
  mayChange: boolean,
): boolean => {
  const number = Number(id.slice(-12))
  if (number === empty) return mayChange
  const series = onSpan(world, number)
  if (of === 'readList')
    return series.some(({ books }) => books.some(({ isVisible, isMissing }) => isVisible && (mayChange || !isMissing)))
  if (number === 11) return mayChange || world.some((each, at) => at === 4 && isListed(each))
  if (number === 12) return mayChange || world.some((each, at) => at % 3 !== 0 && isListed(each))
  if (number === 10) return mayChange || world.some((each, at) => isListed(each) && hasBeenOpened(each, at))
  return series.some((each) => (mayChange ? each.isVisible : isListed(each)))
}

/** The world is read like this: two of three books are opened. */
const hasBeenOpened = ({ books }: ShelvedSeries, number: number): boolean =>
  books.some(({ isVisible, isMissing }, index) => isVisible && !isMissing && (number + index) % 3 < 2)

/** These requests show shelves, and what people have said of their entries. */
export const shelfInputs = {
  'GET /api/v1/collections': { queries: ['', 'sort=name,desc', 'sort=createdAt,desc', 'pageSize=2&page=2'] },
  'GET /api/v1/collections/{id}': { of: 'collection' },
  'GET /api/v1/collections/{id}/ahead': { of: 'collection' },
  'GET /api/v1/collections/{id}/series': {
    of: 'collection',
    queries: ['', 'sort=title,desc', 'sort=added,asc', 'sort=year,asc', 'pageSize=1&page=2'],
  },
  'GET /api/v1/collections/{id}/thumbnail': { of: 'collection', readsFiles: true },
  'GET /api/v1/series/{id}/collections': { of: 'series' },
  'GET /api/v1/readlists': { queries: ['', 'sort=name,desc', 'sort=updatedAt,asc', 'pageSize=2&page=2'] },
  'GET /api/v1/readlists/{id}': { of: 'readList' },
  'GET /api/v1/readlists/{id}/ahead': { of: 'readList' },
  'GET /api/v1/readlists/{id}/books': {
    of: 'readList',
    queries: ['', 'sort=title,desc', 'sort=release,asc', 'pageSize=1&page=2'],
  },
  'GET /api/v1/readlists/{id}/books/{bookId}/adjacent': {
    of: 'readList',
  },
  'GET /api/v1/readlists/{id}/missing': { of: 'readList' },
  'GET /api/v1/readlists/{id}/thumbnail': { of: 'readList', readsFiles: true },
  'GET /api/v1/books/{id}/readlists': { of: 'book' },
  'GET /api/v1/want-to-read': { queries: ['', 'sort=newest', 'pageSize=2&page=2'] },
  'GET /api/v1/user/ratings': { queries: ['', 'itemType=book', 'sort=rating,desc', 'pageSize=2&page=2'] },
  'GET /api/v1/series/{id}/rating': { of: 'series' },
  'GET /api/v1/series/{id}/ratings/average': { of: 'series' },
  'GET /api/v1/books/{id}/rating': { of: 'book' },
} as const
