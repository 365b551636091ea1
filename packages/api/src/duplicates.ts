import { type Static, Type } from 'typebox'
import { bookNumbers } from './book-numbers.ts'
import { endpoint, listEndpoint } from './endpoint.ts'
import { fileFormats } from './file-formats.ts'
import { byId, Count, Id, Nullable, OneOf, record, Timestamp } from './schema.ts'
import { titledSeriesOfBook } from './series-of-book.ts'

const tag = 'Duplicates'

/** Series count as the same by an id of another service, or by their title. */
export const seriesMatchTypes = ['external_id', 'title'] as const
export type SeriesMatchType = (typeof seriesMatchTypes)[number]
/** Books count as the same by the bytes of their files, by what is packed in them, or by their pages alone. */
export const bookMatchTypes = ['file', 'content', 'pages'] as const
export type BookMatchType = (typeof bookMatchTypes)[number]

/** A reply lists no more members of one group than this; `duplicateCount` counts them all. */
export const duplicateMembersMax = 200

const paging = {
  page: Type.Optional(Type.Integer({ minimum: 1, default: 1, description: 'The page, counted from 1.' })),
  pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 500, description: 'Groups on a page.' })),
}

const group = {
  id: Id,
  createdAt: { ...Timestamp, description: 'When it was first found.' },
  updatedAt: { ...Timestamp, description: 'When the newest of the members that you see was found.' },
  duplicateCount: { ...Count, description: 'Members you may see.' },
}

export const DuplicateMember = record(
  {
    id: Id,
    libraryId: Id,
    libraryName: Type.String(),
    title: Type.String(),
    bookCount: { ...Count, description: 'Books you may see.' },
    updatedAt: Timestamp,
  },
  { title: 'DuplicateMember' },
)
export type DuplicateMember = Static<typeof DuplicateMember>

export const DuplicateGroup = record(
  {
    ...group,
    libraryId: Nullable(Type.String({ format: 'uuid', description: 'Null: across libraries.' })),
    matchKey: Type.String({ description: 'plugin:<source>:<id> of an external id, or the title as it is compared.' }),
    matchType: OneOf(seriesMatchTypes),
    members: Type.Array(DuplicateMember),
  },
  { title: 'DuplicateGroup' },
)
export type DuplicateGroup = Static<typeof DuplicateGroup>

export const ListSeriesDuplicatesResponse = record(
  {
    duplicates: Type.Array(DuplicateGroup),
    externalIdGroups: Count,
    titleGroups: Count,
    totalDuplicateSeries: { ...Count, description: 'Series that are in any of the groups.' },
    totalGroups: Count,
  },
  { title: 'ListSeriesDuplicatesResponse' },
)
export type ListSeriesDuplicatesResponse = Static<typeof ListSeriesDuplicatesResponse>

const exampleSeriesGroup: DuplicateGroup = {
  id: '019aa3b2-6c7e-7000-8000-000000000090',
  createdAt: '2026-11-20T03:00:00.000Z',
  updatedAt: '2026-11-20T03:00:00.000Z',
  duplicateCount: 2,
  libraryId: '019aa3b2-6c7e-7000-8000-000000000020',
  matchKey: 'onepunchman',
  matchType: 'title',
  members: [
    {
      id: '019aa3b2-6c7e-7000-8000-000000000031',
      libraryId: '019aa3b2-6c7e-7000-8000-000000000020',
      libraryName: 'Manga',
      title: 'One-Punch Man',
      bookCount: 20,
      updatedAt: '2026-11-19T10:00:00.000Z',
    },
    {
      id: '019aa3b2-6c7e-7000-8000-000000000032',
      libraryId: '019aa3b2-6c7e-7000-8000-000000000020',
      libraryName: 'Manga',
      title: 'One Punch Man',
      bookCount: 3,
      updatedAt: '2026-11-19T11:00:00.000Z',
    },
  ],
}

export const listSeriesDuplicates = endpoint('GET /api/v1/duplicates/series', {
  summary: 'List groups of series that seem to be the same',
  description:
    'The totals are those of the whole answer, whichever page of it this is. What you may not see is not counted.',
  tag,
  access: 'series:read',
  query: Type.Object({ matchType: Type.Optional(OneOf(seriesMatchTypes)), ...paging }),
  reply: ListSeriesDuplicatesResponse,
  example: {
    reply: {
      duplicates: [exampleSeriesGroup],
      externalIdGroups: 0,
      titleGroups: 1,
      totalDuplicateSeries: 2,
      totalGroups: 1,
    },
  },
})

export const BookDuplicateMember = record(
  {
    id: Id,
    title: Type.String(),
    ...titledSeriesOfBook,
    ...bookNumbers,
    libraryId: Id,
    libraryName: Type.String(),
    fileFormat: OneOf(fileFormats),
    fileSize: Count,
    pageCount: Count,
  },
  { title: 'BookDuplicateMember' },
)
export type BookDuplicateMember = Static<typeof BookDuplicateMember>

export const BookDuplicateGroup = record(
  {
    ...group,
    bookIds: Type.Array(Id),
    fileHash: Type.String({ description: 'The fingerprint they share.' }),
    matchType: OneOf(bookMatchTypes, {
      description: 'The same file, the same content packed another way, or the same pages.',
    }),
    members: Type.Array(BookDuplicateMember),
  },
  { title: 'BookDuplicateGroup' },
)
export type BookDuplicateGroup = Static<typeof BookDuplicateGroup>

export const ListDuplicatesResponse = record(
  {
    duplicates: Type.Array(BookDuplicateGroup),
    totalDuplicateBooks: { ...Count, description: 'Books that are in any of the groups.' },
    totalGroups: Count,
  },
  { title: 'ListDuplicatesResponse' },
)
export type ListDuplicatesResponse = Static<typeof ListDuplicatesResponse>

const exampleCopy: BookDuplicateMember = {
  id: '019aa3b2-6c7e-7000-8000-000000000041',
  title: 'Yotsuba&! 1',
  seriesId: '019aa3b2-6c7e-7000-8000-000000000030',
  seriesTitle: 'Yotsuba&!',
  number: 1,
  volume: 1,
  chapter: null,
  libraryId: '019aa3b2-6c7e-7000-8000-000000000020',
  libraryName: 'Manga',
  fileFormat: 'cbz',
  fileSize: 81_234_567,
  pageCount: 210,
}
const secondCopyId = '019aa3b2-6c7e-7000-8000-000000000042'

export const listBookDuplicates = endpoint('GET /api/v1/duplicates/books', {
  summary: 'List groups of books that hold the same',
  tag,
  access: 'books:read',
  query: Type.Object({ matchType: Type.Optional(OneOf(bookMatchTypes)), ...paging }),
  reply: ListDuplicatesResponse,
  example: {
    reply: {
      duplicates: [
        {
          id: '019aa3b2-6c7e-7000-8000-000000000091',
          createdAt: exampleSeriesGroup.createdAt,
          updatedAt: exampleSeriesGroup.updatedAt,
          duplicateCount: 2,
          bookIds: [exampleCopy.id, secondCopyId],
          fileHash: '9f86d081884c7d659a2feaa0c55ad015',
          matchType: 'content',
          members: [exampleCopy, { ...exampleCopy, id: secondCopyId, fileSize: 79_000_123 }],
        },
      ],
      totalDuplicateBooks: 2,
      totalGroups: 1,
    },
  },
})

export const findDuplicates = endpoint('POST /api/v1/duplicates/scan', {
  summary: 'Look for duplicates',
  description: 'In the background, one at a time: while one is looked for, the answer is the task that does it.',
  tag,
  access: 'series:write',
  status: 202,
  reply: record({ taskId: Id }, { title: 'DuplicateScan' }),
  example: { reply: { taskId: '019aa3b2-6c7e-7000-8000-000000000080' } },
})

const dismissal = {
  description: 'It stays out of sight until other members come to it, or some of these go.',
  tag,
  params: byId,
  errors: ['not_found'],
} as const

export const dismissSeriesDuplicates = endpoint('POST /api/v1/duplicates/series/{id}/dismiss', {
  ...dismissal,
  summary: 'Say that these series are not the same',
  access: 'series:write',
})

export const dismissBookDuplicates = endpoint('POST /api/v1/duplicates/books/{id}/dismiss', {
  ...dismissal,
  summary: 'Say that these books are both wanted',
  access: 'books:write',
})

const takingBack = {
  ...dismissal,
  description: 'The group is listed again, as far as you see its members.',
}

export const restoreSeriesDuplicates = endpoint('DELETE /api/v1/duplicates/series/{id}/dismiss', {
  ...takingBack,
  summary: 'Take back that these series are not the same',
  access: 'series:write',
})

export const restoreBookDuplicates = endpoint('DELETE /api/v1/duplicates/books/{id}/dismiss', {
  ...takingBack,
  summary: 'Take back that these books are both wanted',
  access: 'books:write',
})

const mergeId = { ...Id, description: 'By which it can be taken back.' }

export const MergedSeries = record(
  {
    mergeId,
    seriesId: Id,
    mergedIds: Type.Array(Id, { description: 'The series that are no more.' }),
    movedBooks: { ...Count, description: 'Books that came with them.' },
  },
  { title: 'MergedSeries' },
)
export type MergedSeries = Static<typeof MergedSeries>

const exampleMergeId = '019aa3b2-6c7e-7000-8000-000000000095'
const [kept = '', gone = ''] = exampleSeriesGroup.members.map(({ id }) => id)

export const mergeSeries = endpoint('POST /api/v1/duplicates/series/{id}/merge', {
  summary: 'Make one series of several',
  description: [
    'The books of the others go to `into` and stay there, whatever later scans find; so do new files in their folders.',
    'Reading, ratings, lists, covers and sharing tags go with them. The others are gone, until the merge is taken back.',
  ].join(' '),
  tag,
  access: 'series:write',
  params: byId,
  body: record(
    {
      into: { ...Id, description: 'The member that stays.' },
      series: Type.Optional(
        Type.Array(Id, {
          minItems: 1,
          maxItems: duplicateMembersMax,
          uniqueItems: true,
          description: 'Those that go into it; absent: all other members.',
        }),
      ),
    },
    { title: 'SeriesMerge' },
  ),
  reply: MergedSeries,
  errors: ['not_found', 'conflict'],
  example: {
    body: { into: kept },
    reply: { mergeId: exampleMergeId, seriesId: kept, mergedIds: [gone], movedBooks: 3 },
  },
})

export const MergedBooks = record(
  { mergeId, bookId: Id, mergedIds: Type.Array(Id, { description: 'The books that are part of it now.' }) },
  { title: 'MergedBooks' },
)
export type MergedBooks = Static<typeof MergedBooks>

export const mergeBooks = endpoint('POST /api/v1/duplicates/books/{id}/merge', {
  summary: 'Make one book of several',
  description: [
    'Reading, ratings, lists, covers and what people said of the others go to `into`; the others are out of sight, until the',
    'merge is taken back. No file is touched: theirs are further files of the book. No scan lists them again, and when the',
    "book's own file goes, one of them takes its place.",
  ].join(' '),
  tag,
  access: 'books:write',
  params: byId,
  body: record(
    {
      into: { ...Id, description: 'The member that stays, with its file.' },
      books: Type.Optional(
        Type.Array(Id, {
          minItems: 1,
          maxItems: duplicateMembersMax,
          uniqueItems: true,
          description: 'Those that go into it; absent: all other members.',
        }),
      ),
    },
    { title: 'BookMerge' },
  ),
  reply: MergedBooks,
  errors: ['not_found', 'conflict'],
  example: {
    body: { into: exampleCopy.id },
    reply: { mergeId: exampleMergeId, bookId: exampleCopy.id, mergedIds: [secondCopyId] },
  },
})

// This part describes merges, and how they are undone.

export const MergeRecord = record(
  {
    id: Id,
    intoId: { ...Id, description: 'The one that stayed.' },
    title: { ...Type.String(), description: 'Of the one that stayed, as it is called now.' },
    at: Timestamp,
    by: Nullable(record({ id: Id, username: Type.String() })),
    undoneAt: Nullable({ ...Timestamp, description: 'When it was taken back.' }),
  },
  { title: 'MergeRecord' },
)
export type MergeRecord = Static<typeof MergeRecord>

export const listSeriesMerges = listEndpoint('GET /api/v1/duplicates/series/merges', {
  summary: 'List merges of series, newest first',
  description: 'Those that may be taken back, and those that were.',
  tag,
  access: 'series:write',
  item: MergeRecord,
  title: 'SeriesMergePage',
})

export const listBookMerges = listEndpoint('GET /api/v1/duplicates/books/merges', {
  summary: 'List merges of books, newest first',
  description: 'Those that may be taken back, and those that were.',
  tag,
  access: 'books:write',
  item: MergeRecord,
  title: 'BookMergePage',
})

const undo = {
  tag,
  params: byId,
  errors: ['not_found', 'conflict'],
} as const
const undoing =
  'They come back with their own ids and with what was theirs. What has been done since with the one that stayed stays with it.'
const undoneIds = Type.Array(Id, { description: 'Those that are back, as far as you see them.' })

export const UndoneSeriesMerge = record(
  { seriesId: Id, restoredIds: undoneIds, movedBooks: { ...Count, description: 'Books that went with them.' } },
  { title: 'UndoneSeriesMerge' },
)
export type UndoneSeriesMerge = Static<typeof UndoneSeriesMerge>

export const undoSeriesMerge = endpoint('POST /api/v1/duplicates/series/merges/{id}/undo', {
  ...undo,
  summary: 'Make the series of a merge series of their own again',
  description: `${undoing} Of several merges into one series the last is taken back first.`,
  access: 'series:write',
  reply: UndoneSeriesMerge,
  example: { reply: { seriesId: kept, restoredIds: [gone], movedBooks: 3 } },
})

export const UndoneBookMerge = record({ bookId: Id, restoredIds: undoneIds }, { title: 'UndoneBookMerge' })
export type UndoneBookMerge = Static<typeof UndoneBookMerge>

export const undoBookMerge = endpoint('POST /api/v1/duplicates/books/merges/{id}/undo', {
  ...undo,
  summary: 'Make the books of a merge books of their own again',
  description: `${undoing} Of several merges into one book the last is taken back first.`,
  access: 'books:write',
  reply: UndoneBookMerge,
  example: { reply: { bookId: exampleCopy.id, restoredIds: [secondCopyId] } },
})
