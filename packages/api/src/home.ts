import { type Static, Type } from 'typebox'
import { BookDto } from './books.ts'
import { endpoint } from './endpoint.ts'
import { Id, Nullable, OneOf, record } from './schema.ts'
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
] as const
export type HomeShelf = (typeof homeShelves)[number]

export const homeShelfMax = 50

const Layout = Type.Array(OneOf(homeShelves), { maxItems: homeShelves.length, uniqueItems: true })

const Books = (description: string) => Type.Array(BookDto, { maxItems: homeShelfMax, description })
const Series = (description: string) => Type.Array(SeriesDto, { maxItems: homeShelfMax, description })

export const Home = record(
  {
    layout: { ...Layout, description: 'The shelves you want to see, from the top. The others are empty.' },
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
  }),
  reply: Home,
  example: {
    reply: {
      layout: [...homeShelves],
      continueReading: [],
      onDeck: [],
      recentlyAddedBooks: [],
      recentlyAddedSeries: [],
      recentlyUpdatedSeries: [],
      recentlyFinished: [],
      followedUnread: [],
    },
  },
})

export const saveHomeLayout = endpoint('PUT /api/v1/home/layout', {
  summary: 'Choose the shelves of your home page and their order',
  description: 'Those that are not named are not shown, and answered empty; `null` is the order everybody begins with.',
  tag,
  access: 'progress:write',
  body: record({ layout: Nullable(Layout) }, { title: 'HomeLayoutChange' }),
  reply: record({ layout: Layout }, { title: 'HomeLayout' }),
  errors: ['conflict'],
  example: {
    body: { layout: ['continueReading', 'onDeck'] },
    reply: { layout: ['continueReading', 'onDeck'] },
  },
})
