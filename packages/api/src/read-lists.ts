import { type Static, Type } from 'typebox'
import { AdjacentBooks, BookDto } from './books.ts'
import { ListName, ListSummary, membersAtOnceMax, membersBytesMax, NewPlace } from './collections.ts'
import { endpoint, listEndpoint } from './endpoint.ts'
import { byId, Count, Id, Nullable, OneOf, record, sortBy, Timestamp } from './schema.ts'

const tag = 'Read lists'
const write = 'readlists:write'

export const importBytesMax = 5 * 1024 * 1024
export const importEntriesMax = 10_000

export const ReadListDto = record(
  {
    id: Id,
    name: Type.String(),
    summary: Nullable(Type.String()),
    ordered: Type.Boolean({ description: 'Shown in an order of its own, unless another is asked for.' }),
    bookCount: { ...Count, description: 'Books you may see.' },
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: 'ReadList' },
)
export type ReadListDto = Static<typeof ReadListDto>

const NewReadList = record(
  {
    name: ListName,
    summary: Type.Optional(ListSummary),
    ordered: Type.Optional(Type.Boolean({ default: true })),
  },
  { title: 'NewReadList' },
)
export type NewReadList = Static<typeof NewReadList>

const ReadListPatch = record(
  { name: Type.Optional(ListName), summary: Type.Optional(ListSummary), ordered: Type.Optional(Type.Boolean()) },
  { title: 'ReadListPatch' },
)
export type ReadListPatch = Static<typeof ReadListPatch>

const exampleList: ReadListDto = {
  id: '019aa3b2-6c7e-7000-8000-000000000090',
  name: 'Civil War',
  summary: null,
  ordered: true,
  bookCount: 98,
  createdAt: '2026-11-21T10:00:00.000Z',
  updatedAt: '2026-11-21T10:00:00.000Z',
}
const exampleBookIds = ['019aa3b2-6c7e-7000-8000-000000000040']

const list = { tag, access: 'readlists:read', item: ReadListDto, title: 'ReadListPage' } as const
const oneOf = { tag, params: byId } as const

export const listReadLists = listEndpoint('GET /api/v1/readlists', {
  ...list,
  summary: 'List read lists',
  description: 'Those with a book that you may see, and those without books if you may change them.',
  query: Type.Object({ sort: sortBy(['name', 'createdAt', 'updatedAt']) }),
})

export const listReadListsOfBook = listEndpoint('GET /api/v1/books/{id}/readlists', {
  ...list,
  params: byId,
  summary: 'List the read lists a book is in',
  description: 'By name.',
  query: Type.Object({}),
  errors: ['not_found'],
})

export const createReadList = endpoint('POST /api/v1/readlists', {
  summary: 'Create a read list',
  tag,
  access: write,
  body: NewReadList,
  reply: ReadListDto,
  status: 201,
  errors: ['already_exists'],
  example: { body: { name: 'Civil War' }, reply: { ...exampleList, bookCount: 0 } },
})

export const readReadList = endpoint('GET /api/v1/readlists/{id}', {
  ...oneOf,
  access: 'readlists:read',
  summary: 'Read one read list',
  reply: ReadListDto,
  errors: ['not_found'],
  example: { reply: exampleList },
})

export const updateReadList = endpoint('PATCH /api/v1/readlists/{id}', {
  ...oneOf,
  access: write,
  summary: 'Change a read list',
  body: ReadListPatch,
  guards: ReadListDto,
  reply: ReadListDto,
  errors: ['not_found', 'already_exists'],
  example: { body: { name: 'Civil War' }, reply: exampleList },
})

export const deleteReadList = endpoint('DELETE /api/v1/readlists/{id}', {
  ...oneOf,
  access: 'readlists:delete',
  summary: 'Delete a read list',
  description: 'Its books stay.',
  guards: ReadListDto,
  errors: ['not_found'],
})

const memberOrders = ['manual', 'release', 'title', 'added'] as const
type MemberOrder = `${(typeof memberOrders)[number]},${'asc' | 'desc'}`

export const listBooksOfReadList = listEndpoint('GET /api/v1/readlists/{id}/books', {
  ...oneOf,
  access: 'readlists:read',
  summary: 'List the books of a read list',
  description: 'Without `sort`: by hand where it is ordered, else by title.',
  query: Type.Object({
    // The contract sets no default: it depends on the list.
    sort: Type.Optional(
      OneOf(
        memberOrders.flatMap((field): MemberOrder[] => [`${field},asc`, `${field},desc`]),
        { description: 'Field and direction.' },
      ),
    ),
  }),
  item: BookDto,
  title: 'BookPage',
  errors: ['not_found'],
})

const BookIds = Type.Array(Id, { maxItems: membersAtOnceMax, uniqueItems: true })
const members = { ...oneOf, access: write, bodyBytesMax: membersBytesMax } as const

export const addToReadList = endpoint('POST /api/v1/readlists/{id}/books', {
  ...members,
  summary: 'Add books to a read list',
  description: 'Behind the others, in the order given. Those that are in it stay where they are.',
  body: record({ bookIds: BookIds }, { title: 'BooksToAdd' }),
  reply: ReadListDto,
  errors: ['not_found', 'conflict'],
  example: { body: { bookIds: exampleBookIds }, reply: exampleList },
})

export const orderReadList = endpoint('PUT /api/v1/readlists/{id}/books', {
  ...members,
  summary: 'Put books of a read list in order',
  description: 'They share the places that they have now, in this order; all others stay where they are.',
  body: record({ bookIds: BookIds }, { title: 'BooksInOrder' }),
  errors: ['not_found'],
  example: { body: { bookIds: exampleBookIds } },
})

const byMember = Type.Object({ id: Id, bookId: Id })
const member = { tag, access: write, params: byMember } as const

export const moveInReadList = endpoint('POST /api/v1/readlists/{id}/books/{bookId}/move', {
  ...member,
  summary: 'Move a book to another place in a read list',
  description: 'What stands between the two places moves up. Beyond the end is the end.',
  body: NewPlace,
  errors: ['not_found'],
  example: { body: { position: 1 } },
})

export const removeFromReadList = endpoint('DELETE /api/v1/readlists/{id}/books/{bookId}', {
  ...member,
  summary: 'Take a book out of a read list',
  errors: ['not_found'],
})

export const readNeighboursInReadList = endpoint('GET /api/v1/readlists/{id}/books/{bookId}/adjacent', {
  tag,
  access: 'readlists:read',
  params: byMember,
  summary: 'What comes before and after a book in a read list',
  description: 'In the order the list is shown in; null at its ends.',
  reply: AdjacentBooks,
  errors: ['not_found'],
  example: { reply: { prev: null, next: null } },
})

export const readReadListThumbnail = endpoint('GET /api/v1/readlists/{id}/thumbnail', {
  ...oneOf,
  access: 'readlists:read',
  summary: 'The cover of the first book of a read list',
  description: 'Leads on to the address of that cover.',
  status: 307,
  errors: ['not_found'],
})

// Lists of other programs

const wanted = {
  series: Type.String(),
  number: Nullable(Type.String()),
  volume: Nullable(Type.String()),
  year: Nullable(Type.String()),
}

export const WantedBook = record(
  { position: Type.Integer({ minimum: 1, description: 'Its place in the file.' }), ...wanted },
  { title: 'WantedBook', description: 'A book as the imported list calls it.' },
)
export type WantedBook = Static<typeof WantedBook>

const Candidate = record({ bookId: Id, seriesId: Id, seriesName: Type.String(), year: Nullable(Type.Integer()) })

export const MatchReport = record(
  {
    readListId: Nullable(Type.String({ format: 'uuid', description: 'Null: nothing was created.' })),
    name: Type.String(),
    matched: { ...Count, description: 'Entries of the file for which there is a book.' },
    unmatched: Type.Array(WantedBook),
    ambiguous: Type.Array(record({ ...WantedBook.properties, candidates: Type.Array(Candidate) })),
  },
  { title: 'MatchReport' },
)
export type MatchReport = Static<typeof MatchReport>

const exampleWanted: WantedBook = { position: 2, series: 'Wolverine', number: '42', volume: '2003', year: '2006' }

export const importReadList = endpoint('POST /api/v1/readlists/import', {
  summary: 'Make a read list of a `.cbl` file',
  description: [
    'Entries are found by the name of their series (any title of it, or its folder), their number, and volume or year',
    'where several fit. Those that are not found keep their places, and are filled when such a book is found later.',
  ].join(' '),
  tag,
  access: write,
  query: Type.Object({
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'Instead of the name in the file.' })),
    dryRun: Type.Optional(Type.Boolean({ default: false, description: 'Only say what would be found.' })),
  }),
  upload: {
    description: `The XML of a .cbl file, up to ${importBytesMax / 1024 / 1024} MB and ${importEntriesMax} entries.`,
  },
  bodyBytesMax: importBytesMax,
  reply: MatchReport,
  errors: ['already_exists', 'validation_failed', 'damaged_file'],
  example: {
    reply: { readListId: exampleList.id, name: 'Civil War', matched: 97, unmatched: [exampleWanted], ambiguous: [] },
  },
})

export const MissingEntry = record(
  { id: Id, ...wanted, addedAt: Timestamp },
  { title: 'MissingEntry', description: 'A place that is kept for a book that is not there yet.' },
)
export type MissingEntry = Static<typeof MissingEntry>

export const listMissingOfReadList = listEndpoint('GET /api/v1/readlists/{id}/missing', {
  ...oneOf,
  access: write,
  summary: 'List what a read list still waits for',
  query: Type.Object({}),
  item: MissingEntry,
  title: 'MissingEntryPage',
  errors: ['not_found'],
})

export const removeMissingOfReadList = endpoint('DELETE /api/v1/readlists/{id}/missing/{entryId}', {
  tag,
  access: write,
  params: Type.Object({ id: Id, entryId: Id }),
  summary: 'No longer wait for a book of a read list',
  errors: ['not_found'],
})
