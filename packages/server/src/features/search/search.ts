import { type SearchResults, type Suggestions, suggestionsMax } from '@carrel/api'
import type { Database } from '../../database/database.ts'
import { showBooksById } from '../books/books.ts'
import { find, type FoundName, prepareQuery, type Query, selectFoundNames } from '../search-index/search-index.ts'
import { showSeriesById } from '../series/series.ts'
import type { Viewer } from '../visibility/visibility.ts'

interface Asked {
  readonly text: string
  readonly isForgiving: boolean
}

type Places = Readonly<Record<keyof SearchResults, number>>

/** What is found in each place, at most as many as are wanted of it. */
const searchIn = async (
  db: Database,
  viewer: Viewer,
  { text, isForgiving }: Asked,
  limits: Places,
): Promise<SearchResults> => {
  const query = await prepareQuery(db, text, isForgiving)
  if (!query) return { series: [], books: [], people: [], collections: [], readlists: [] }
  const [series, books, people, collections, readlists] = await Promise.all([
    find(db, viewer, { target: 'series', query, limit: limits.series }).then((ids) =>
      showSeriesById(db.readSlowly, viewer, ids),
    ),
    find(db, viewer, { target: 'book', query, limit: limits.books }).then((ids) =>
      showBooksById(db.readSlowly, viewer, ids),
    ),
    findNames(db, viewer, { target: 'term', query, limit: limits.people }),
    findNames(db, viewer, { target: 'collection', query, limit: limits.collections }),
    findNames(db, viewer, { target: 'read_list', query, limit: limits.readlists }),
  ])
  return { series, books, people, collections, readlists }
}

const findNames = async (
  db: Database,
  viewer: Viewer,
  what: { readonly target: 'term' | 'collection' | 'read_list'; readonly query: Query; readonly limit: number },
): Promise<FoundName[]> => selectFoundNames(db.readSlowly, viewer, what.target, await find(db, viewer, what))

export const search = (db: Database, viewer: Viewer, asked: Asked, limit: number): Promise<SearchResults> =>
  searchIn(db, viewer, asked, { series: limit, books: limit, people: limit, collections: limit, readlists: limit })

/** Series first, then whoever and whatever bears such a name; books fill what is left. */
const suggested: Places = { series: 5, books: suggestionsMax, people: 2, collections: 1, readlists: 1 }

export const suggest = async (db: Database, viewer: Viewer, asked: Asked): Promise<Suggestions> => {
  const { series, books, people, collections, readlists } = await searchIn(db, viewer, asked, suggested)
  const named = (kind: 'person' | 'collection' | 'readlist', names: readonly FoundName[]) =>
    names.map(({ id, name, count }) => ({ kind, value: name, id, count }))
  const suggestions = [
    ...series.map(({ id, title, bookCount }) => ({ kind: 'series' as const, value: title, id, count: bookCount })),
    ...named('person', people),
    ...named('collection', collections),
    ...named('readlist', readlists),
    ...books.map(({ id, title }) => ({ kind: 'book' as const, value: title, id, count: 1 })),
  ]
  return { suggestions: suggestions.slice(0, suggestionsMax) }
}
