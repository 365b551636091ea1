import { type Static, Type } from 'typebox'
import { BookCondition, SeriesCondition } from './conditions.ts'
import { fieldsOfBooks } from './fields/books.ts'
import { facetNames, fieldOrders } from './fields/lists.ts'
import { fieldsOfSeries } from './fields/series.ts'
import { Count, OneOf, record } from './schema.ts'

/** The orders of series, by all the names they go under. */
export const seriesOrders = {
  name: 'name',
  date_added: 'createdAt',
  created_at: 'createdAt',
  createdAt: 'createdAt',
  date_updated: 'updatedAt',
  updated_at: 'updatedAt',
  updatedAt: 'updatedAt',
  ...fieldOrders(fieldsOfSeries),
  first_released: 'released',
  date_read: 'lastRead',
  book_count: 'bookCount',
  rating: 'userRating',
  user_rating: 'userRating',
  community_rating: 'communityRating',
  avg_rating: 'communityRating',
  external_rating: 'externalRating',
  relevance: 'relevance',
  score: 'relevance',
  random: 'random',
} as const
export type SeriesSort = `${keyof typeof seriesOrders},${'asc' | 'desc'}`

export const bookOrders = {
  name: 'name',
  title: 'name',
  series: 'series',
  number: 'number',
  chapter_number: 'number',
  date_added: 'createdAt',
  created_at: 'createdAt',
  createdAt: 'createdAt',
  date_updated: 'updatedAt',
  updated_at: 'updatedAt',
  updatedAt: 'updatedAt',
  release_date: 'released',
  file_size: 'size',
  filename: 'fileName',
  page_count: 'pageCount',
  last_read: 'lastRead',
  read_date: 'lastRead',
  relevance: 'relevance',
  score: 'relevance',
  random: 'random',
} as const
export type BookSort = `${keyof typeof bookOrders},${'asc' | 'desc'}`

const sortOver = <Names extends string>(orders: Readonly<Record<Names, string>>, description: string) => {
  const names = Object.keys(orders) as Names[]
  // The contract sets no default: it depends on the rest of the query.
  return Type.Optional(
    OneOf(
      names.flatMap((name): `${Names},${'asc' | 'desc'}`[] => [`${name},asc`, `${name},desc`]),
      { description },
    ),
  )
}

const seed = Type.Optional(
  Type.String({
    maxLength: 100,
    description: 'Of `random`: the same seed gives the same order. Without one every request has another.',
  }),
)

const byDefault = 'Field and direction. What has no value comes last. Without it: by `relevance` when there is a'
export const seriesSorting = {
  sort: sortOver(seriesOrders, `${byDefault} \`fullTextSearch\`, else \`name,asc\`.`),
  seed,
}
export const bookSorting = {
  sort: sortOver(bookOrders, `${byDefault} \`fullTextSearch\`, in a series \`number,asc\`, else \`name,asc\`.`),
  seed,
}

const names = (what: string) =>
  Type.Optional(Type.String({ maxLength: 1000, description: `Names of ${what}, separated by commas: all of them.` }))

/** Lists that are requested with GET take these. */
export const termFilters = { genres: names('genres'), tags: names('tags') }

export const fullTextSearch = Type.Optional(Type.String({ maxLength: 500 }))
export const includeDeleted = Type.Boolean({ default: false, description: 'Also books whose file is missing.' })

const seriesQueryFields = { condition: Type.Optional(SeriesCondition), fullTextSearch }
const bookQueryFields = {
  condition: Type.Optional(BookCondition),
  fullTextSearch,
  includeDeleted: Type.Optional(includeDeleted),
}

export const SeriesListQuery = record(seriesQueryFields, { title: 'SeriesListQuery' })
export type SeriesListQuery = Static<typeof SeriesListQuery>
export const BookListQuery = record(bookQueryFields, { title: 'BookListQuery' })
export type BookListQuery = Static<typeof BookListQuery>

export const Letters = record(
  {
    letters: Type.Array(
      record({
        letter: Type.String({ description: 'Upper case; `#` for digits and everything else.' }),
        count: Count,
        page: Type.Integer({ minimum: 1, description: 'Where the first of them stands in the list by name.' }),
      }),
    ),
  },
  { title: 'Letters' },
)
export type Letters = Static<typeof Letters>

export const seriesFacets = [...facetNames(fieldsOfSeries), 'readStatus', 'libraryId'] as const
export type SeriesFacet = (typeof seriesFacets)[number]

export const bookFacets = [...facetNames(fieldsOfBooks), 'readStatus', 'libraryId', 'format'] as const
export type BookFacet = (typeof bookFacets)[number]

const facetsOf = <const Names extends readonly string[]>(facets: Names) => ({
  facets: Type.Array(OneOf(facets), { minItems: 1, maxItems: facets.length, uniqueItems: true }),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: 'Values of each facet; 50.' })),
})

export const SeriesFacetsQuery = record(
  { ...seriesQueryFields, ...facetsOf(seriesFacets) },
  { title: 'SeriesFacetsQuery' },
)
export const BookFacetsQuery = record({ ...bookQueryFields, ...facetsOf(bookFacets) }, { title: 'BookFacetsQuery' })

export const FacetValue = record(
  { value: Type.Unsafe<string | number>({ type: ['string', 'integer'] }), count: Count },
  { title: 'FacetValue' },
)
export type FacetValue = Static<typeof FacetValue>

/** The keys are the names of the requested facets; the most frequent values come first. */
export const Facets = record({ facets: Type.Record(Type.String(), Type.Array(FacetValue)) }, { title: 'Facets' })
export type Facets = Static<typeof Facets>
