import { type Static, Type } from 'typebox'
import { bookNumbers } from './book-numbers.ts'
import { endpoint, listEndpoint } from './endpoint.ts'
import { byId, Count, Id, Nullable, OneOf, record, Timestamp } from './schema.ts'
import { seriesIdOfBook } from './series-of-book.ts'

const tag = 'Series'
const writing = { tag, access: 'series:write' } as const

/** More are not moved at once. */
export const movedBooksMax = 10_000
export const mergedSeriesMax = 200

const BookIds = Type.Array(Id, { minItems: 1, maxItems: movedBooksMax, description: 'Of what you see.' })
const Title = Type.String({ minLength: 1, maxLength: 1000, pattern: '\\S' })
const dryRun = Type.Optional(
  Type.Boolean({ default: false, description: 'The answer says what would happen, and nothing does.' }),
)
const follow = Type.Optional(
  Type.Boolean({
    default: false,
    description:
      'What comes new into the folders of these books, or below, goes there too. What lies in a root follows nobody.',
  }),
)

const Named = record({ id: Id, title: Type.String() }, { title: 'NamedSeries' })

export const MovedByHand = record(
  {
    id: { ...Id, description: 'The series that the books are in now.' },
    libraryId: Id,
    title: Type.String(),
    bookCount: { ...Count, description: 'Books of it that you may see.' },
    historyId: Nullable(Type.String({ format: 'uuid', description: 'By which it is taken back; null of a dry run.' })),
    movedBooks: Count,
    followedFolders: { ...Count, description: 'Folders whose new books go there from now on.' },
    emptied: Type.Array(Named, {
      description:
        'Series without a book from now on: out of every list until one comes back. Of a merge: those that are gone.',
    }),
    sharingTagsAdded: Type.Array(record({ id: Id, name: Type.String() }, { title: 'AddedSharingTag' }), {
      description: 'What the series carries from now on, for it came with the books. Nobody sees more than before.',
    }),
    ageRating: record(
      { before: Nullable(Type.Integer()), after: Nullable(Type.Integer()) },
      { title: 'AgeRatingChange', description: 'Of the series; null: unrated, or there was none.' },
    ),
  },
  { title: 'MovedByHand' },
)
export type MovedByHand = Static<typeof MovedByHand>

const [seriesId, otherId] = ['019aa3b2-6c7e-7000-8000-000000000030', '019aa3b2-6c7e-7000-8000-000000000031']
const bookIds = ['019aa3b2-6c7e-7000-8000-000000000041', '019aa3b2-6c7e-7000-8000-000000000042']
const libraryId = '019aa3b2-6c7e-7000-8000-000000000020'
const historyId = '019aa3b2-6c7e-7000-8000-000000000050'
const exampleMoved: MovedByHand = {
  id: otherId,
  libraryId,
  title: 'Azumanga Daioh',
  bookCount: 4,
  historyId,
  movedBooks: 2,
  followedFolders: 0,
  emptied: [],
  sharingTagsAdded: [],
  ageRating: { before: null, after: null },
}

const keeping = [
  'They stay there whatever their paths, their tags or the grouping of the library say, until that is taken back.',
  'Nothing is shown to anybody who did not see it before: sharing tags and age ratings go along.',
].join(' ')

export const splitSeries = endpoint('POST /api/v1/series/{id}/split', {
  summary: 'Make a series of its own of some books of a series',
  description: `Without a title it is called as its books say, and if that is as before, the same with a number behind it. ${keeping}`,
  ...writing,
  params: byId,
  status: 201,
  body: record({ bookIds: BookIds, title: Type.Optional(Title), follow, dryRun }, { title: 'SeriesSplit' }),
  reply: MovedByHand,
  errors: ['not_found', 'conflict'],
  example: { body: { bookIds, title: exampleMoved.title }, reply: { ...exampleMoved, bookCount: 2 } },
})

export const moveBooks = endpoint('POST /api/v1/books/move', {
  summary: 'Put books into another series',
  description: `Either into one that is there, \`seriesId\`, or into a new one, \`newSeries\`; of one library. ${keeping}`,
  ...writing,
  body: record(
    {
      bookIds: BookIds,
      seriesId: Type.Optional(Id),
      newSeries: Type.Optional(record({ title: Title, libraryId: Id }, { title: 'NewSeries' })),
      follow,
      dryRun,
    },
    { title: 'BookMove' },
  ),
  reply: MovedByHand,
  errors: ['conflict'],
  example: {
    body: { bookIds, newSeries: { title: exampleMoved.title, libraryId }, follow: true },
    reply: { ...exampleMoved, followedFolders: 1 },
  },
})

export const mergeAnySeries = endpoint('POST /api/v1/series/merge', {
  summary: 'Make one series of several of a library',
  description: [
    'The books of the others go to `into` and stay there, and so do new files in their folders. Reading, ratings, lists, covers',
    'and sharing tags go with them. The others are gone, until it is taken back.',
  ].join(' '),
  ...writing,
  body: record(
    {
      ids: Type.Array(Id, { minItems: 1, maxItems: mergedSeriesMax, description: 'Those that go into it.' }),
      into: { ...Id, description: 'The series that stays.' },
      dryRun,
    },
    { title: 'MergeOfSeries' },
  ),
  reply: MovedByHand,
  errors: ['conflict'],
  example: {
    body: { ids: [seriesId], into: otherId },
    reply: { ...exampleMoved, emptied: [{ id: seriesId, title: 'Azumanga' }] },
  },
})

// This part describes what keeps books where people have put them.

const By = Nullable(record({ id: Id, username: Type.String() }, { title: 'ArrangedBy' }))

const Otherwise = Nullable(
  record(
    {
      seriesId: Nullable(Type.String({ format: 'uuid', description: 'Null: there is no such series yet.' })),
      title: Type.String(),
    },
    { title: 'SeriesByPolicy' },
  ),
)

export const GroupingOverride = record(
  {
    id: Id,
    bookId: Nullable(Type.String({ format: 'uuid', description: 'Null: it is of a folder.' })),
    name: Type.String({ description: 'The title of the book, or the name of the folder.' }),
    ...bookNumbers,
    folder: Type.Optional(
      Nullable(Type.String({ description: 'Below its root. Only for those who manage libraries.' })),
    ),
    seriesId: { ...Id, description: 'Where it is put.' },
    seriesTitle: Type.String(),
    otherwise: {
      ...Otherwise,
      description: 'Where the grouping alone would put the book; null for folders, and for what you may not see.',
    },
    throughId: Nullable(
      Type.String({ format: 'uuid', description: 'The override of the folder by which the book has come there.' }),
    ),
    at: Timestamp,
    by: By,
  },
  { title: 'GroupingOverride' },
)
export type GroupingOverride = Static<typeof GroupingOverride>

export const listGroupingOverrides = listEndpoint('GET /api/v1/libraries/{id}/overrides', {
  summary: 'List what people have put into another series than the grouping would, the newest first',
  description: 'Of the books and series that you see.',
  ...writing,
  params: byId,
  item: GroupingOverride,
  title: 'GroupingOverridePage',
  errors: ['not_found'],
})

export const removeGroupingOverride = endpoint('DELETE /api/v1/libraries/{id}/overrides/{overrideId}', {
  summary: 'Let the grouping decide again',
  description:
    'The book goes back to where the grouping says, and with a folder all books that have come through it. It can be taken back by `historyId`.',
  ...writing,
  params: Type.Object({ id: Id, overrideId: Id }),
  reply: record(
    {
      historyId: Nullable(Type.String({ format: 'uuid', description: 'Null: no book has gone anywhere.' })),
      movedBooks: Count,
    },
    { title: 'RemovedOverride' },
  ),
  errors: ['not_found'],
  example: { reply: { historyId, movedBooks: 1 } },
})

export const placementReasons = ['policy', 'file', 'hand', 'merge'] as const

export const BookPlacement = record(
  {
    seriesId: seriesIdOfBook,
    because: OneOf(placementReasons, {
      description: [
        '`policy`: the grouping of the library, by its path. `file`: the same, by what the file says of itself.',
        '`hand`: somebody has put it there. `merge`: somebody has merged the series that it would be in.',
      ].join(' '),
    }),
    policy: Type.String({ description: 'The grouping of the library.' }),
    at: Nullable({ ...Timestamp, description: 'When somebody did.' }),
    by: By,
    overrideId: Nullable(Type.String({ format: 'uuid' })),
    throughId: GroupingOverride.properties.throughId,
    otherwise: Otherwise,
  },
  { title: 'BookPlacement' },
)
export type BookPlacement = Static<typeof BookPlacement>

const by = { id: '019aa3b2-6c7e-7000-8000-000000000001', username: 'ada' }

export const readBookPlacement = endpoint('GET /api/v1/books/{id}/placement', {
  summary: 'Why a book is in the series it is in',
  tag: 'Books',
  access: 'books:read',
  params: byId,
  reply: BookPlacement,
  errors: ['not_found'],
  example: {
    reply: {
      seriesId: otherId,
      because: 'hand',
      policy: 'folder',
      at: '2026-11-21T10:00:00.000Z',
      by,
      overrideId: '019aa3b2-6c7e-7000-8000-000000000097',
      throughId: null,
      otherwise: { seriesId, title: 'Yotsuba&!' },
    },
  },
})

export const undoHistory = endpoint('POST /api/v1/history/{historyId}/undo', {
  summary: 'Take back anything that the history of a series or book tells of',
  description: [
    'An edit as by `…/metadata/undo`. Of books that were moved, those that have not been moved elsewhere since go back, and with',
    '`force` all; where some stay, `conflicts` has `seriesId`. A merge is taken back as a whole. It is in the history itself, and what',
    'was moved back can be moved there again by taking that back.',
  ].join(' '),
  tag: 'Metadata',
  access: 'series:write',
  needs: ['books:write'],
  params: Type.Object({ historyId: Id }),
  body: record(
    {
      force: Type.Optional(
        Type.Boolean({ default: false, description: 'Also fields that have changed again since then.' }),
      ),
    },
    { title: 'UndoHistory' },
  ),
  bodyOptional: true,
  reply: record(
    {
      entity: OneOf(['series', 'book']),
      id: Id,
      historyId: Nullable(
        Type.String({ format: 'uuid', description: 'What was just done; null: nothing was left to do.' }),
      ),
      conflicts: Type.Array(Type.String(), { description: 'Fields that have changed again since, and stay.' }),
    },
    { title: 'UndoneHistory' },
  ),
  errors: ['not_found', 'conflict'],
  example: { body: { force: false }, reply: { entity: 'series', id: otherId, historyId, conflicts: [] } },
})
