import { Type } from 'typebox'
import { endpoint } from '../../endpoint.ts'
import { Count, record } from '../../schema.ts'
import { byCompatId, compatPageOf, compatPaging } from './page.ts'
import {
  CompatBook,
  compatBookFilters,
  compatLibraryFilters,
  CompatSearch,
  CompatSeries,
  compatSeriesFilters,
  exampleCompatBook,
  exampleCompatPage,
  exampleCompatSeries,
} from './records.ts'
import { compat } from './shared.ts'

const access = 'series:read'
export const CompatSeriesPage = compatPageOf(CompatSeries, 'CompatPage_CompatSeriesDto')
export const CompatBookPage = compatPageOf(CompatBook, 'CompatBookPage')

const page = {
  ...compat,
  access,
  reply: CompatSeriesPage,
  example: { reply: exampleCompatPage(exampleCompatSeries) },
} as const

export const listCompatSeries = endpoint('GET /{prefix}/api/v1/series', {
  ...page,
  summary: 'List series',
  query: Type.Object({ ...compatSeriesFilters, ...compatPaging }),
})

const exampleSearch = {
  condition: { allOf: [{ readStatus: { operator: 'is', value: 'UNREAD' } }] },
  fullTextSearch: 'yotsuba',
}

export const searchCompatSeries = endpoint('POST /{prefix}/api/v1/series/list', {
  ...page,
  summary: 'List series that fulfil a condition',
  query: Type.Object(compatPaging),
  body: CompatSearch,
  nullIsAbsent: true,
  bodyOptional: true,
  example: { ...page.example, body: exampleSearch },
})

const Groups = Type.Array(record({ group: Type.String(), count: Count }, { title: 'CompatGroup' }))
const exampleGroups = [{ group: 'y', count: 1 }]

export const readCompatSeriesGroups = endpoint('GET /{prefix}/api/v1/series/alphabetical-groups', {
  ...compat,
  access,
  summary: 'Count series by the first letter of their titles',
  query: Type.Object(compatSeriesFilters),
  reply: Groups,
  example: { reply: exampleGroups },
})

export const searchCompatSeriesGroups = endpoint('POST /{prefix}/api/v1/series/list/alphabetical-groups', {
  ...compat,
  access,
  summary: 'Count series that fulfil a condition by the first letter of their titles',
  body: CompatSearch,
  nullIsAbsent: true,
  bodyOptional: true,
  reply: Groups,
  example: { body: exampleSearch, reply: exampleGroups },
})

const shelf = {
  ...page,
  query: Type.Object({
    ...compatLibraryFilters,
    deleted: compatSeriesFilters.deleted,
    oneshot: compatSeriesFilters.oneshot,
    ...compatPaging,
  }),
} as const

export const listNewCompatSeries = endpoint('GET /{prefix}/api/v1/series/new', {
  ...shelf,
  summary: 'List series, the newest first',
})
export const listUpdatedCompatSeries = endpoint('GET /{prefix}/api/v1/series/updated', {
  ...shelf,
  summary: 'List series that have changed since they were added, the latest first',
})
export const listLatestCompatSeries = endpoint('GET /{prefix}/api/v1/series/latest', {
  ...shelf,
  summary: 'List series, those that have changed last first',
})

export const readCompatSeries = endpoint('GET /{prefix}/api/v1/series/{id}', {
  ...compat,
  access,
  summary: 'Read a series',
  params: byCompatId,
  errors: ['not_found'],
  reply: CompatSeries,
  example: { reply: exampleCompatSeries },
})

export const listBooksOfCompatSeries = endpoint('GET /{prefix}/api/v1/series/{id}/books', {
  ...compat,
  access: 'books:read',
  summary: 'List the books of a series',
  params: byCompatId,
  query: Type.Object({ ...compatBookFilters, ...compatPaging }),
  errors: ['not_found'],
  reply: CompatBookPage,
  example: { reply: exampleCompatPage(exampleCompatBook) },
})
