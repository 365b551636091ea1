import { Type } from 'typebox'
import { endpoint } from '../../endpoint.ts'
import { compatPageOf, compatPaging } from './page.ts'
import { CompatAuthor, exampleCompatPage, listedParameter, singleParameter } from './records.ts'
import { compat } from './shared.ts'

const within = {
  library_id: listedParameter('Ids of libraries.'),
  collection_id: listedParameter('Ids of collections.'),
}
const search = { search: singleParameter('A part of the name.') }
const inBooks = {
  series_id: listedParameter('Ids of series.'),
  readlist_id: listedParameter('Ids of read lists.'),
}

const shared = { ...compat, access: 'series:read' } as const

/** A list holds at most `compatNamesMax` names. */
const names = (example: string) =>
  ({
    ...shared,
    query: Type.Object(within),
    reply: Type.Array(Type.String()),
    example: { reply: [example] },
  }) as const

export const compatNamesMax = 10_000

export const listCompatGenres = endpoint('GET /{prefix}/api/v1/genres', { ...names('Comedy'), summary: 'List genres' })
export const listCompatTags = endpoint('GET /{prefix}/api/v1/tags', {
  ...names('classic'),
  summary: 'List tags of series and books',
})
export const listCompatSeriesTags = endpoint('GET /{prefix}/api/v1/tags/series', {
  ...names('classic'),
  summary: 'List tags of series',
})
export const listCompatBookTags = endpoint('GET /{prefix}/api/v1/tags/book', {
  ...names('classic'),
  summary: 'List tags of books',
  query: Type.Object({ ...within, ...inBooks }),
})
export const listCompatPublishers = endpoint('GET /{prefix}/api/v1/publishers', {
  ...names('ASCII Media Works'),
  summary: 'List publishers',
})
export const listCompatLanguages = endpoint('GET /{prefix}/api/v1/languages', {
  ...names('ja'),
  summary: 'List languages',
})
export const listCompatAgeRatings = endpoint('GET /{prefix}/api/v1/age-ratings', {
  ...names('12'),
  summary: 'List age ratings; `None` where there are series without one',
})
export const listCompatReleaseDates = endpoint('GET /{prefix}/api/v1/series/release-dates', {
  ...names('2003'),
  summary: 'List the years in which series began, the latest first',
})
export const listCompatSharingLabels = endpoint('GET /{prefix}/api/v1/sharing-labels', {
  ...names('family'),
  summary: 'List sharing tags, for those who may see them',
})

const authors = { ...within, ...inBooks, ...search }
const exampleAuthor = { name: 'Kiyohiko Azuma', role: 'WRITER' }

export const listCompatAuthors = endpoint('GET /{prefix}/api/v1/authors', {
  ...shared,
  summary: 'List who has made series and books',
  query: Type.Object(authors),
  reply: Type.Array(CompatAuthor),
  example: { reply: [exampleAuthor] },
})
export const listCompatAuthorNames = endpoint('GET /{prefix}/api/v1/authors/names', {
  ...names('Kiyohiko Azuma'),
  summary: 'List the names of those who have made series and books',
  query: Type.Object(authors),
})
export const listCompatAuthorRoles = endpoint('GET /{prefix}/api/v1/authors/roles', {
  ...names('WRITER'),
  summary: 'List what people have done for series and books',
})

const CompatNamePage = compatPageOf(Type.String(), 'CompatNamePage')
const CompatAuthorPage = compatPageOf(CompatAuthor, 'CompatAuthorPage')

const pageOfNames = (example: string) =>
  ({
    ...shared,
    query: Type.Object({ ...within, ...search, ...compatPaging }),
    reply: CompatNamePage,
    example: { reply: exampleCompatPage(example) },
  }) as const

export const pageCompatAuthors = endpoint('GET /{prefix}/api/v2/authors', {
  ...shared,
  summary: 'List who has made series and books, a page at a time',
  query: Type.Object({ ...authors, role: listedParameter('Roles.'), ...compatPaging }),
  reply: CompatAuthorPage,
  example: { reply: exampleCompatPage(exampleAuthor) },
})
export const pageCompatAuthorNames = endpoint('GET /{prefix}/api/v2/authors/names', {
  ...pageOfNames('Kiyohiko Azuma'),
  summary: 'List the names of those who have made series and books, a page at a time',
  query: Type.Object({ ...authors, role: listedParameter('Roles.'), ...compatPaging }),
})
export const pageCompatAuthorRoles = endpoint('GET /{prefix}/api/v2/authors/roles', {
  ...pageOfNames('WRITER'),
  summary: 'List what people have done for series and books, a page at a time',
})
export const pageCompatGenres = endpoint('GET /{prefix}/api/v2/genres', {
  ...pageOfNames('Comedy'),
  summary: 'List genres, a page at a time',
})
export const pageCompatTags = endpoint('GET /{prefix}/api/v2/tags', {
  ...pageOfNames('classic'),
  summary: 'List tags, a page at a time',
  query: Type.Object({
    ...within,
    ...inBooks,
    ...search,
    include: singleParameter('SERIES, BOOKS; both where it is left out.'),
    ...compatPaging,
  }),
})
export const pageCompatPublishers = endpoint('GET /{prefix}/api/v2/publishers', {
  ...pageOfNames('ASCII Media Works'),
  summary: 'List publishers, a page at a time',
})
export const pageCompatLanguages = endpoint('GET /{prefix}/api/v2/languages', {
  ...pageOfNames('ja'),
  summary: 'List languages, a page at a time',
})
export const pageCompatAgeRatings = endpoint('GET /{prefix}/api/v2/age-ratings', {
  ...pageOfNames('12'),
  summary: 'List age ratings, a page at a time',
})
export const pageCompatSharingLabels = endpoint('GET /{prefix}/api/v2/sharing-labels', {
  ...pageOfNames('family'),
  summary: 'List sharing tags, a page at a time, for those who may see them',
})
export const pageCompatReleaseYears = endpoint('GET /{prefix}/api/v2/series/release-years', {
  ...pageOfNames('2003'),
  summary: 'List the years in which series began, a page at a time',
})
