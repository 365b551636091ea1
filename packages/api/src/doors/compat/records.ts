import { type Static, Type } from 'typebox'
import { Count, Count32, Int32, Nullable, OneOf, record } from '../../schema.ts'
import { CompatId, type CompatPage, CompatTime, Repeated } from './page.ts'

const Text = Type.String()
const Words = Type.Array(Text)
const Flag = Type.Boolean()
const Day = Nullable(Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\d$', maxLength: 10 }))

export const CompatAuthor = record({ name: Text, role: Text }, { title: 'CompatAuthor' })
export type CompatAuthor = Static<typeof CompatAuthor>

const WebLink = record({ label: Text, url: Text }, { title: 'CompatWebLink' })
const AlternateTitle = record({ label: Text, title: Text }, { title: 'CompatAlternateTitle' })

export const compatSeriesStatuses = ['ENDED', 'ONGOING', 'ABANDONED', 'HIATUS'] as const
export const compatDirections = ['', 'LEFT_TO_RIGHT', 'RIGHT_TO_LEFT', 'VERTICAL', 'WEBTOON'] as const

const SeriesMetadata = record(
  {
    status: OneOf(compatSeriesStatuses),
    statusLock: Flag,
    title: Text,
    titleLock: Flag,
    titleSort: Text,
    titleSortLock: Flag,
    summary: Text,
    summaryLock: Flag,
    readingDirection: OneOf(compatDirections),
    readingDirectionLock: Flag,
    publisher: Text,
    publisherLock: Flag,
    ageRating: Nullable(Int32),
    ageRatingLock: Flag,
    language: Text,
    languageLock: Flag,
    genres: Words,
    genresLock: Flag,
    tags: Words,
    tagsLock: Flag,
    totalBookCount: Nullable(Int32),
    totalBookCountLock: Flag,
    sharingLabels: Words,
    sharingLabelsLock: Flag,
    links: Type.Array(WebLink),
    linksLock: Flag,
    alternateTitles: Type.Array(AlternateTitle),
    alternateTitlesLock: Flag,
    created: CompatTime,
    lastModified: CompatTime,
  },
  { title: 'CompatSeriesMetadata' },
)

const BooksMetadata = record(
  {
    authors: Type.Array(CompatAuthor),
    tags: Words,
    releaseDate: Day,
    summary: Text,
    summaryNumber: Text,
    created: CompatTime,
    lastModified: CompatTime,
  },
  { title: 'CompatBooksMetadata' },
)

export const CompatSeries = record(
  {
    id: CompatId,
    libraryId: CompatId,
    name: Text,
    url: Type.String({ description: 'Its folder. Empty but for those who manage libraries.' }),
    created: CompatTime,
    lastModified: CompatTime,
    fileLastModified: CompatTime,
    booksCount: Count32,
    booksReadCount: Count32,
    booksUnreadCount: Count32,
    booksInProgressCount: Count32,
    metadata: SeriesMetadata,
    booksMetadata: BooksMetadata,
    deleted: Flag,
    oneshot: Type.Boolean({ description: 'Its only book is said to be a one-shot.' }),
  },
  { title: 'CompatSeries' },
)
export type CompatSeries = Static<typeof CompatSeries>

export const compatMediaStatuses = ['READY', 'UNKNOWN', 'ERROR', 'UNSUPPORTED', 'OUTDATED'] as const
export const compatMediaProfiles = ['', 'DIVINA', 'PDF', 'EPUB'] as const

const Media = record(
  {
    status: OneOf(compatMediaStatuses),
    mediaType: Text,
    pagesCount: Count,
    comment: Text,
    epubDivinaCompatible: Flag,
    epubIsKepub: Flag,
    mediaProfile: OneOf(compatMediaProfiles),
  },
  { title: 'CompatMedia' },
)

const BookMetadata = record(
  {
    title: Text,
    titleLock: Flag,
    summary: Text,
    summaryLock: Flag,
    number: Text,
    numberLock: Flag,
    numberSort: Type.Number(),
    numberSortLock: Flag,
    releaseDate: Day,
    releaseDateLock: Flag,
    authors: Type.Array(CompatAuthor),
    authorsLock: Flag,
    tags: Words,
    tagsLock: Flag,
    isbn: Text,
    isbnLock: Flag,
    links: Type.Array(WebLink),
    linksLock: Flag,
    created: CompatTime,
    lastModified: CompatTime,
  },
  { title: 'CompatBookMetadata' },
)

const ReadProgress = record(
  {
    page: Count,
    completed: Flag,
    readDate: CompatTime,
    created: CompatTime,
    lastModified: CompatTime,
    deviceId: Text,
    deviceName: Text,
  },
  { title: 'CompatReadProgress' },
)

export const CompatBook = record(
  {
    id: CompatId,
    seriesId: Type.String({ maxLength: 64, description: 'Empty: hidden from you.' }),
    seriesTitle: Text,
    libraryId: CompatId,
    name: Text,
    url: Type.String({ description: 'Its file; without the way there but for those who manage libraries.' }),
    number: Type.Integer({ description: 'Its place in the series, counted from 1.' }),
    created: CompatTime,
    lastModified: CompatTime,
    fileLastModified: CompatTime,
    sizeBytes: Count,
    size: Text,
    media: Media,
    metadata: BookMetadata,
    readProgress: Nullable(ReadProgress),
    deleted: Flag,
    fileHash: Text,
    oneshot: Flag,
  },
  { title: 'CompatBook' },
)
export type CompatBook = Static<typeof CompatBook>

const at = '2026-11-21T10:00:00Z'

export const exampleCompatSeries: CompatSeries = {
  id: '019aa3b2-6c7e-7000-8000-000000000030',
  libraryId: '019aa3b2-6c7e-7000-8000-000000000010',
  name: 'Yotsuba',
  url: '',
  created: at,
  lastModified: at,
  fileLastModified: at,
  booksCount: 15,
  booksReadCount: 3,
  booksUnreadCount: 11,
  booksInProgressCount: 1,
  metadata: {
    status: 'ONGOING',
    statusLock: false,
    title: 'Yotsuba&!',
    titleLock: false,
    titleSort: 'Yotsuba&!',
    titleSortLock: false,
    summary: '',
    summaryLock: false,
    readingDirection: 'RIGHT_TO_LEFT',
    readingDirectionLock: false,
    publisher: 'ASCII Media Works',
    publisherLock: true,
    ageRating: 6,
    ageRatingLock: false,
    language: 'ja',
    languageLock: false,
    genres: ['Comedy'],
    genresLock: false,
    tags: [],
    tagsLock: false,
    totalBookCount: null,
    totalBookCountLock: false,
    sharingLabels: [],
    sharingLabelsLock: false,
    links: [],
    linksLock: false,
    alternateTitles: [{ label: 'Japanese', title: 'よつばと!' }],
    alternateTitlesLock: false,
    created: at,
    lastModified: at,
  },
  booksMetadata: {
    authors: [{ name: 'Kiyohiko Azuma', role: 'WRITER' }],
    tags: [],
    releaseDate: '2003-08-27',
    summary: '',
    summaryNumber: '',
    created: at,
    lastModified: at,
  },
  deleted: false,
  oneshot: false,
}

export const exampleCompatBook: CompatBook = {
  id: '019aa3b2-6c7e-7000-8000-000000000050',
  seriesId: '019aa3b2-6c7e-7000-8000-000000000030',
  seriesTitle: 'Yotsuba&!',
  libraryId: '019aa3b2-6c7e-7000-8000-000000000010',
  name: 'Yotsuba 01',
  url: 'Yotsuba 01.cbz',
  number: 1,
  created: at,
  lastModified: at,
  fileLastModified: at,
  sizeBytes: 52_428_800,
  size: '50.0 MiB',
  media: {
    status: 'READY',
    mediaType: 'application/zip',
    pagesCount: 224,
    comment: '',
    epubDivinaCompatible: false,
    epubIsKepub: false,
    mediaProfile: 'DIVINA',
  },
  metadata: {
    title: 'Yotsuba&! 1',
    titleLock: false,
    summary: '',
    summaryLock: false,
    number: '1',
    numberLock: false,
    numberSort: 1,
    numberSortLock: false,
    releaseDate: '2003-08-27',
    releaseDateLock: false,
    authors: [],
    authorsLock: false,
    tags: [],
    tagsLock: false,
    isbn: '',
    isbnLock: false,
    links: [],
    linksLock: false,
    created: at,
    lastModified: at,
  },
  readProgress: {
    page: 12,
    completed: false,
    readDate: at,
    created: at,
    lastModified: at,
    deviceId: '',
    deviceName: '',
  },
  deleted: false,
  fileHash: '',
  oneshot: false,
}

const unsorted = { empty: true, sorted: false, unsorted: true }

/** The first page of a list, and the only one. */
export const exampleCompatPage = <Item>(...content: Item[]): CompatPage<Item> => ({
  content,
  pageable: { offset: 0, pageNumber: 0, pageSize: 20, paged: true, unpaged: false, sort: unsorted },
  totalElements: content.length,
  totalPages: 1,
  last: true,
  first: true,
  empty: false,
  number: 0,
  size: 20,
  numberOfElements: content.length,
  sort: unsorted,
})

const listed = (description: string) =>
  Type.Optional({ ...Repeated, description: `${description} Repeated, or with commas.` })
const single = (description: string) => Type.Optional({ ...Repeated, description })

const ofLibraries = { library_id: listed('Ids of libraries.') }

/** Addresses narrow lists of series by these. */
export const compatSeriesFilters = {
  ...ofLibraries,
  search: single('A full text.'),
  collection_id: listed('Ids of collections.'),
  status: listed('ENDED, ONGOING, ABANDONED, HIATUS.'),
  read_status: listed('UNREAD, IN_PROGRESS, READ.'),
  publisher: listed('Publishers.'),
  language: listed('Languages.'),
  genre: listed('Genres.'),
  tag: listed('Tags of the series or its books.'),
  age_rating: listed('Age ratings; any other word stands for none.'),
  release_year: listed('Years in which the first book came out.'),
  sharing_label: listed('Sharing tags; for those who may see them.'),
  author: listed('`name,role`; the role may be left out.'),
  deleted: single('`true` finds nothing: what is missing is in no list.'),
  complete: single('Whether there are as many books as there should be.'),
  oneshot: single('Whether it is a one-shot.'),
  search_regex: single('A beginning, a part or a range of letters, and `TITLE` or `TITLE_SORT` behind a comma.'),
}

/** Addresses narrow lists of books by these. */
export const compatBookFilters = {
  media_status: listed('READY, UNKNOWN, ERROR, UNSUPPORTED, OUTDATED.'),
  read_status: listed('UNREAD, IN_PROGRESS, READ.'),
  tag: listed('Tags.'),
  author: listed('`name,role`; the role may be left out.'),
  deleted: single('`true` finds nothing: what is missing is in no list.'),
}

export const compatLibraryFilters = { ...ofLibraries }
export const compatSearch = { search: single('A full text.') }
export const listedParameter = listed
export const singleParameter = single

const Condition = Type.Unsafe<unknown>({
  description: 'allOf, anyOf, or a field with its operator, as these applications send it; nothing stands for all.',
})

/** The body of a request narrows a list by this. */
export const CompatSearch = Type.Object(
  { condition: Type.Optional(Condition), fullTextSearch: Type.Optional(Nullable(Type.String({ maxLength: 500 }))) },
  { title: 'CompatSearch' },
)
