import { manga } from './visible-world.ts'

/** What lists of series are asked for in the walk over all answers. */
export const seriesConditions = [
  {},
  { condition: { genre: { operator: 'is', value: 'common' } } },
  { condition: { author: { operator: 'is', value: 'common person', role: 'Writer' } } },
  { condition: { completion: { operator: 'isTrue' } } },
  { condition: { sharingTag: { operator: 'is', value: 'family' } } },
  { condition: { readStatus: { operator: 'is', value: 'read' } } },
  { condition: { readStatus: { operator: 'isNot', value: 'unread' } } },
  { condition: { not: { libraryId: { operator: 'is', value: manga } } } },
  { condition: { genre: { operator: 'is', value: 'genre told 0' } } },
  { condition: { tag: { operator: 'isNot', value: 'tag told 0' } } },
  { condition: { author: { operator: 'contains', value: 'told 0' } } },
  { condition: { publisher: { operator: 'is', value: 'Publisher told 0' } } },
  { condition: { language: { operator: 'isNot', value: 'de' } } },
  { condition: { summary: { operator: 'contains', value: 'told' } } },
  { condition: { year: { operator: 'lt', value: 2010 } } },
  { condition: { hasExternalSourceId: { operator: 'isTrue' } } },
  { fullTextSearch: 'series' },
  { fullTextSearch: 'person told 0' },
]

/** What lists of books are asked for in the same walk. */
export const bookConditions = [
  {},
  { includeDeleted: true },
  { condition: { genre: { operator: 'is', value: 'common' } } },
  { condition: { readStatus: { operator: 'is', value: 'read' } }, includeDeleted: true },
  { condition: { author: { operator: 'is', value: 'common person', role: 'Writer' } } },
  { condition: { path: { operator: 'contains', value: 'data' } } },
  { condition: { pageCount: { operator: 'gt', value: 1 } } },
  { fullTextSearch: 'series' },
  { fullTextSearch: 'hides' },
]
