import { listGenres, listPeople, listTags, readPerson } from '@carrel/api'
import { createRoute } from '@tanstack/react-router'
import { ensure, queryClient } from '../../api/queries.ts'
import { framed, page } from '../../frame/layouts.tsx'
import { parseListSearch, wordsOfSearch } from '../../lists/search/list-search.ts'
import { sourceOf } from '../../lists/search/sources.ts'
import { wholeNumber, word, wordOf } from '../../navigation/search-params.ts'
import { type TermKind, termsOnPage } from './kinds.ts'

const strings = ['terms', 'lists']

/** The lists of a term: series, unless the address asks for books. */
const listSearch = (words: Record<string, unknown>) => {
  const tab = wordOf(['books'], words.tab)
  const kind = tab ?? 'series'
  const search: Record<string, string | readonly string[] | undefined> = {
    ...wordsOfSearch(kind, parseListSearch(kind, words)),
    tab,
  }
  return search
}

/** How many series and books there are is known when the page is shown. */
const countBoth = async (kind: TermKind, name: string): Promise<void> => {
  const scope = { term: { kind, name } }
  await Promise.all([
    queryClient.prefetchQuery(sourceOf('series', parseListSearch('series', {}), scope).page(1)),
    queryClient.prefetchQuery(sourceOf('books', parseListSearch('books', {}), scope).page(1)),
  ])
}

const namesSearch = (words: Record<string, unknown>) => ({
  q: word(words.q),
  page: wholeNumber(words.page, 1, 100_000),
})
const namesQuery = ({
  q,
  page: number = 1,
}: {
  readonly q?: string | undefined
  readonly page?: number | undefined
}) => ({
  query: { page: number, pageSize: termsOnPage, ...(q !== undefined && { q }) },
})

export const people = createRoute({
  getParentRoute: () => framed,
  path: '/people',
  validateSearch: namesSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ensure(listPeople, namesQuery(deps)),
  component: page(() => import('./names-page.tsx'), 'PeoplePage', strings),
})

export const person = createRoute({
  getParentRoute: () => framed,
  path: '/people/$name',
  validateSearch: (words: Record<string, unknown>) => ({ ...listSearch(words), role: word(words.role) }),
  loader: ({ params: { name } }) => Promise.all([ensure(readPerson, { query: { name } }), countBoth('person', name)]),
  component: page(() => import('./person-page.tsx'), 'PersonPage', strings),
})

export const genres = createRoute({
  getParentRoute: () => framed,
  path: '/genres',
  validateSearch: namesSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ensure(listGenres, namesQuery(deps)),
  component: page(() => import('./names-page.tsx'), 'GenresPage', strings),
})

export const genre = createRoute({
  getParentRoute: () => framed,
  path: '/genres/$name',
  validateSearch: listSearch,
  loader: ({ params: { name } }) => countBoth('genre', name),
  component: page(() => import('./subject-page.tsx'), 'GenrePage', strings),
})

export const tags = createRoute({
  getParentRoute: () => framed,
  path: '/tags',
  validateSearch: namesSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ deps }) => ensure(listTags, namesQuery(deps)),
  component: page(() => import('./names-page.tsx'), 'TagsPage', strings),
})

export const tag = createRoute({
  getParentRoute: () => framed,
  path: '/tags/$name',
  validateSearch: listSearch,
  loader: ({ params: { name } }) => countBoth('tag', name),
  component: page(() => import('./subject-page.tsx'), 'TagPage', strings),
})
