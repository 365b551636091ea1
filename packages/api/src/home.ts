import { type Static, Type } from 'typebox'
import { BookDto } from './books.ts'
import { endpoint } from './endpoint.ts'
import { byId, Count, Id, Nullable, OneOf, record, Timestamp } from './schema.ts'
import { SeriesDto } from './series.ts'

const tag = 'Home'

/** The order is the default, as long as a user has not arranged another. */
export const homeShelves = [
  'continueReading',
  'onDeck',
  'followedUnread',
  'recentlyAddedBooks',
  'recentlyAddedSeries',
  'recentlyUpdatedSeries',
  'recentlyFinished',
  'readAgain',
] as const
export type HomeShelf = (typeof homeShelves)[number]

/** Where added books stand by their series, these would show the same again. */
export const saidByPiles: readonly HomeShelf[] = ['recentlyAddedSeries', 'recentlyUpdatedSeries']

/** Filters that somebody has saved, as a shelf: their id stands behind it. */
export const searchShelfPrefix = 'search:'
export type SearchShelf = `${typeof searchShelfPrefix}${string}`

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
export const homeLayoutMax = 40

export const homeShelfMax = 50

const Layout = Type.Array(
  Type.Unsafe<HomeShelf | SearchShelf>({
    type: 'string',
    pattern: `^(?:${homeShelves.join('|')}|${searchShelfPrefix}${uuid})$`,
  }),
  { maxItems: homeLayoutMax, uniqueItems: true },
)

const DeviceId = Type.String({ minLength: 1, maxLength: 128, description: 'As in `X-Device-Id`.' })

const Books = (description: string) => Type.Array(BookDto, { maxItems: homeShelfMax, description })
const Series = (description: string) => Type.Array(SeriesDto, { maxItems: homeShelfMax, description })

const Pile = record(
  {
    book: { ...BookDto, description: 'The first of them, by their place in the series.' },
    count: { ...Count, description: 'How many came within a week.' },
    firstNumber: Nullable(Type.Number({ description: 'The lowest of their numbers, if all have one.' })),
    lastNumber: Nullable(Type.Number()),
    addedAt: { ...Timestamp, description: 'When the last of them came.' },
  },
  { title: 'PileOfBooks' },
)
export type PileOfBooks = Static<typeof Pile>

export const Home = record(
  {
    layout: {
      ...Layout,
      description:
        'The shelves you want to see, from the top; the others are empty. `search:` and the id of a filter preset is what that finds.',
    },
    isOfDevice: Type.Boolean({ description: 'This is how you have arranged it for this device alone.' }),
    later: Type.Array(OneOf(homeShelves), { description: 'Shelves that `filled` has left out of this answer.' }),
    piles: Type.Array(Pile, {
      maxItems: homeShelfMax,
      description:
        'With `grouped`, in place of `recentlyAddedBooks`: each series once, where something came last first.',
    }),
    continueReading: Books('Begun and not finished, the latest first; not of series you have paused or dropped.'),
    onDeck: Books(
      'The first unread book of each series of which you have finished one and have none open, the one you read last first; not of series you have paused or dropped.',
    ),
    recentlyAddedBooks: Books('The newest first.'),
    recentlyAddedSeries: Series('The newest first.'),
    recentlyUpdatedSeries: Series('The latest first.'),
    recentlyFinished: Books('The latest first, each once.'),
    followedUnread: Series(
      'Series you follow that have something you have not read; where something came last, first.',
    ),
    readAgain: Series('Series you have read to their end, more than half a year ago; the latest first.'),
  },
  { title: 'Home' },
)
export type Home = Static<typeof Home>

export const readHome = endpoint('GET /api/v1/home', {
  summary: 'All shelves of the home page',
  tag,
  access: 'books:read',
  query: Type.Object({
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: homeShelfMax, default: 20, description: 'Items on each shelf.' }),
    ),
    libraryId: Type.Optional(Id),
    deviceId: Type.Optional(DeviceId),
    shelves: Type.Optional(
      Type.String({ maxLength: 400, description: 'Only these, separated by commas, of those in the layout.' }),
    ),
    filled: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: homeShelves.length,
        description: 'So many shelves with something on them are enough; what comes behind them is named in `later`.',
      }),
    ),
    grouped: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          'Added books by their series, in `piles`. Who has arranged nothing sees no shelves of new series then: they would show the same.',
      }),
    ),
  }),
  reply: Home,
  example: {
    reply: {
      layout: [...homeShelves],
      isOfDevice: false,
      later: [],
      piles: [],
      continueReading: [],
      onDeck: [],
      recentlyAddedBooks: [],
      recentlyAddedSeries: [],
      recentlyUpdatedSeries: [],
      recentlyFinished: [],
      followedUnread: [],
      readAgain: [],
    },
  },
})

export const saveHomeLayout = endpoint('PUT /api/v1/home/layout', {
  summary: 'Choose the shelves of your home page and their order',
  description: 'Those that are not named are not shown, and answered empty; `null` is the order everybody begins with.',
  tag,
  access: 'progress:write',
  body: record(
    {
      layout: Nullable(Layout),
      deviceId: Type.Optional({
        ...DeviceId,
        description: 'For this device alone; `null` makes it the same as everywhere again.',
      }),
    },
    { title: 'HomeLayoutChange' },
  ),
  reply: record({ layout: Layout }, { title: 'HomeLayout' }),
  errors: ['conflict'],
  example: {
    body: { layout: ['continueReading', 'onDeck'] },
    reply: { layout: ['continueReading', 'onDeck'] },
  },
})

export const openBooksMax = 12

const OpenPage = record(
  {
    pageNumber: Type.Integer({ minimum: 1 }),
    width: Nullable(Type.Integer({ minimum: 1 })),
    height: Nullable(Type.Integer({ minimum: 1 })),
  },
  { title: 'OpenPage' },
)

export const OpenBook = record(
  {
    book: BookDto,
    pages: Type.Array(OpenPage, {
      maxItems: 2,
      description:
        'What you see when you go on, in reading order: two pages, or a wide one. None of a book whose text flows, and none but of the first book.',
    }),
    pagesLeft: Nullable(Count),
    timeLeftMs: Nullable({ ...Count, description: 'At your own pace. Null: too little is known to say.' }),
    deviceName: Nullable(Type.String({ description: 'Where you were last, if it has a name.' })),
  },
  { title: 'OpenBook' },
)
export type OpenBook = Static<typeof OpenBook>

export const OpenBooks = record(
  {
    books: Type.Array(OpenBook, {
      maxItems: openBooksMax,
      description: 'As `continueReading` of the home page: the latest first, without those that are not for now.',
    }),
    total: { ...Count, description: 'All that you have begun and not finished.' },
    newest: Nullable({ ...BookDto, description: 'Of what came last the first to read, while nothing is open.' }),
  },
  { title: 'OpenBooks' },
)
export type OpenBooks = Static<typeof OpenBooks>

export const readOpenBooks = endpoint('GET /api/v1/home/open', {
  summary: 'The books you are in the middle of, each with what is left of it',
  tag,
  access: 'books:read',
  query: Type.Object({
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: openBooksMax, default: 5 })),
  }),
  reply: OpenBooks,
  example: { reply: { books: [], total: 0, newest: null } },
})

export const putBookAside = endpoint('PUT /api/v1/home/not-now/{id}', {
  summary: 'Take a book off the list of those to continue with',
  description: 'Where you are in it stays, and once you read on in it it is on the list again.',
  tag,
  access: 'progress:write',
  params: byId,
  errors: ['not_found', 'conflict'],
})

export const takeBookUp = endpoint('DELETE /api/v1/home/not-now/{id}', {
  summary: 'Put it back onto that list',
  tag,
  access: 'progress:write',
  params: byId,
  errors: ['not_found', 'conflict'],
})
