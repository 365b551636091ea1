import { type Static, Type } from 'typebox'
import { bookNumbers } from './book-numbers.ts'
import { AdjacentBooks, BookDto } from './books.ts'
import { endpoint, listEndpoint } from './endpoint.ts'
import {
  coversOfList,
  listFields,
  listPatchFields,
  listShapes,
  listTimes,
  MemberIds,
  newListFields,
} from './member-lists.ts'
import { byId, Count, Id, Nullable, record, Timestamp } from './schema.ts'

const tag = 'Read lists'
const write = 'readlists:write'

export const importBytesMax = 5 * 1024 * 1024
export const importEntriesMax = 10_000

export const ReadListDto = record(
  { ...listFields, bookCount: { ...Count, description: 'Books you may see.' }, ...listTimes },
  { title: 'ReadList' },
)
export type ReadListDto = Static<typeof ReadListDto>

const NextInList = record(
  {
    id: Id,
    title: Type.String(),
    seriesName: Type.String(),
    ...bookNumbers,
    oneShot: Type.Boolean(),
  },
  { title: 'NextInList' },
)

export const ListedReadList = record(
  {
    ...ReadListDto.properties,
    covers: coversOfList('books'),
    readCount: { ...Count, description: 'Books of it that you have read.' },
    next: Nullable({ ...NextInList, description: 'The first in its order that you have not finished.' }),
  },
  { title: 'ListedReadList' },
)
export type ListedReadList = Static<typeof ListedReadList>

const NewReadList = record(newListFields(true), { title: 'NewReadList' })
export type NewReadList = Static<typeof NewReadList>

const ReadListPatch = record(listPatchFields, { title: 'ReadListPatch' })
export type ReadListPatch = Static<typeof ReadListPatch>

const exampleList: ReadListDto = {
  id: '019aa3b2-6c7e-7000-8000-000000000090',
  name: 'Civil War',
  summary: null,
  ordered: true,
  fromFiles: false,
  followsFiles: false,
  bookCount: 98,
  createdAt: '2026-11-21T10:00:00.000Z',
  updatedAt: '2026-11-21T10:00:00.000Z',
}

const byMember = Type.Object({ id: Id, bookId: Id })
const shapes = listShapes({
  tag,
  words: { list: 'read list', lists: 'read lists', member: 'book', members: 'books' },
  access: { read: 'readlists:read', write, delete: 'readlists:delete' },
  list: {
    schema: ReadListDto,
    editable: Type.Omit(ReadListDto, ['bookCount']),
    page: 'ReadListPage',
    example: exampleList,
  },
  entry: { schema: ListedReadList, page: 'ListedReadListPage' },
  member: { schema: BookDto, page: 'BookPage', orders: ['manual', 'release', 'title', 'added'] },
  added: record({ bookIds: MemberIds }, { title: 'BooksToAdd' }),
  ordered: record({ bookIds: MemberIds }, { title: 'BooksInOrder' }),
  exampleIds: { bookIds: ['019aa3b2-6c7e-7000-8000-000000000040'] },
  memberParams: byMember,
  refusals: ['not_found'],
})

export const listReadLists = listEndpoint('GET /api/v1/readlists', {
  ...shapes.all,
  description: 'Those with a book that you may see, and those without books if you may change them.',
})
export const listReadListsOfBook = listEndpoint('GET /api/v1/books/{id}/readlists', {
  ...shapes.holding,
  description: 'By name.',
})
export const createReadList = endpoint('POST /api/v1/readlists', {
  ...shapes.create,
  body: NewReadList,
  errors: ['already_exists', 'conflict'],
  example: { body: { name: 'Civil War' }, reply: { ...exampleList, bookCount: 0 } },
})
export const readReadList = endpoint('GET /api/v1/readlists/{id}', shapes.read)
export const updateReadList = endpoint('PATCH /api/v1/readlists/{id}', {
  ...shapes.update,
  body: ReadListPatch,
  errors: ['not_found', 'already_exists', 'conflict'],
  example: { body: { name: 'Civil War' }, reply: exampleList },
})
export const deleteReadList = endpoint('DELETE /api/v1/readlists/{id}', shapes.delete)
export const listBooksOfReadList = listEndpoint('GET /api/v1/readlists/{id}/books', shapes.members)
export const addToReadList = endpoint('POST /api/v1/readlists/{id}/books', shapes.add)
export const orderReadList = endpoint('PUT /api/v1/readlists/{id}/books', shapes.order)
export const moveInReadList = endpoint('POST /api/v1/readlists/{id}/books/{bookId}/move', shapes.move)
export const removeFromReadList = endpoint('DELETE /api/v1/readlists/{id}/books/{bookId}', shapes.remove)
export const readReadListThumbnail = endpoint('GET /api/v1/readlists/{id}/thumbnail', shapes.thumbnail)

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

// Lists of other programs

const importedFields = {
  series: Type.String(),
  number: Nullable(Type.String()),
  volume: Nullable(Type.String()),
  year: Nullable(Type.String()),
}

export const ImportedBook = record(
  { position: Type.Integer({ minimum: 1, description: 'Its place in the file.' }), ...importedFields },
  { title: 'ImportedBook', description: 'A book as the imported list calls it.' },
)
export type ImportedBook = Static<typeof ImportedBook>

const Candidate = record({ bookId: Id, seriesId: Id, seriesName: Type.String(), year: Nullable(Type.Integer()) })

export const MatchReport = record(
  {
    readListId: Nullable(Type.String({ format: 'uuid', description: 'Null: nothing was created.' })),
    name: Type.String(),
    matched: { ...Count, description: 'Entries of the file for which there is a book.' },
    unmatched: Type.Array(ImportedBook),
    ambiguous: Type.Array(record({ ...ImportedBook.properties, candidates: Type.Array(Candidate) })),
  },
  { title: 'MatchReport' },
)
export type MatchReport = Static<typeof MatchReport>

const exampleImportedBook: ImportedBook = {
  position: 2,
  series: 'Wolverine',
  number: '42',
  volume: '2003',
  year: '2006',
}

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
    reply: {
      readListId: exampleList.id,
      name: 'Civil War',
      matched: 97,
      unmatched: [exampleImportedBook],
      ambiguous: [],
    },
  },
})

export const MissingEntry = record(
  { id: Id, ...importedFields, addedAt: Timestamp },
  { title: 'MissingEntry', description: 'A place that is kept for a book that is not there yet.' },
)
export type MissingEntry = Static<typeof MissingEntry>

export const listMissingOfReadList = listEndpoint('GET /api/v1/readlists/{id}/missing', {
  tag,
  params: byId,
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
