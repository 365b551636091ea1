import { type Static, Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { fileFormats } from './file-formats.ts'
import { byId, Count, Id, Nullable, OneOf, record, Timestamp } from './schema.ts'

const tag = 'Duplicates'

/** How series are known to be the same: by an id of another service, or by their title. */
export const seriesMatchTypes = ['external_id', 'title'] as const
export type SeriesMatchType = (typeof seriesMatchTypes)[number]
/** How books are: by the very bytes of their files, by what is packed in them, or by their pages alone. */
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
  updatedAt: { ...Timestamp, description: 'When its members last changed.' },
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
    seriesId: Id,
    seriesTitle: Type.String(),
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

export const MergedSeries = record(
  {
    seriesId: Id,
    mergedIds: Type.Array(Id, { description: 'The series that are no more.' }),
    movedBooks: { ...Count, description: 'Books that came with them.' },
  },
  { title: 'MergedSeries' },
)
export type MergedSeries = Static<typeof MergedSeries>

const [kept = '', gone = ''] = exampleSeriesGroup.members.map(({ id }) => id)

export const mergeSeries = endpoint('POST /api/v1/duplicates/series/{id}/merge', {
  summary: 'Make one series of several',
  description: [
    'The books of the others go to `into` and stay there, whatever later scans find; so do new files in their folders.',
    'Reading, ratings, lists, covers and sharing tags go with them. The others are gone afterwards; this cannot be undone.',
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
  example: { body: { into: kept }, reply: { seriesId: kept, mergedIds: [gone], movedBooks: 3 } },
})
