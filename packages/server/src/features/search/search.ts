import { type BookDto, type SearchResults, type SeriesDto, type Suggestions, suggestionsMax } from '@carrel/api'
import type { Database } from '../../database/database.ts'
import type { BoundedMap } from '../../platform/memory/bounded-map.ts'
import { showBooksById } from '../books/books.ts'
import {
  find,
  type FoundName,
  type Limits,
  prepareQuery,
  selectFoundNames,
} from '../../catalogue/search-index/search-index.ts'
import { showSeriesById } from '../series/series.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'

interface SearchRequest {
  readonly text: string
  readonly isForgiving: boolean
  readonly counted: CountedPeople
}

/** People whose series were counted for somebody, by id, as long as nobody commits anything: who types finds the same ones again. */
export type CountedPeople = BoundedMap<FoundName>

/** It searches each place for as many results as are asked for. */
const searchIn = async (
  db: Database,
  viewer: Viewer,
  { text, isForgiving, counted }: SearchRequest,
  limits: Required<Limits>,
): Promise<SearchResults> => {
  const query = await prepareQuery(db, text, isForgiving)
  if (!query) return { series: [], books: [], people: [], collections: [], readlists: [] }
  const found = await find(db, viewer, query, limits)
  const idsOf = (target: keyof typeof limits): readonly string[] => found.get(target) ?? []
  const [series, books, named] = await Promise.all([
    showSeriesById(db.readSlowly, viewer, idsOf('series')),
    showBooksById(db.readSlowly, viewer, idsOf('book')),
    selectFoundNames(db.readSlowly, viewer, {
      term: idsOf('term').filter((id) => !counted.get(id)),
      collection: idsOf('collection'),
      read_list: idsOf('read_list'),
    }),
  ])
  for (const person of named.term) counted.set(person.id, person)
  const people = idsOf('term').flatMap((id) => counted.get(id) ?? [])
  return { series, books, people, collections: named.collection, readlists: named.read_list }
}

export const search = (db: Database, viewer: Viewer, request: SearchRequest, limit: number): Promise<SearchResults> =>
  searchIn(db, viewer, request, { series: limit, book: limit, term: limit, collection: limit, read_list: limit })

/** Series first, then whoever and whatever bears such a name; books fill what is left. */
const suggested = { series: 5, book: suggestionsMax, term: 2, collection: 1, read_list: 1 }

export const suggest = async (db: Database, viewer: Viewer, request: SearchRequest): Promise<Suggestions> => {
  const { series, books, people, collections, readlists } = await searchIn(db, viewer, request, suggested)
  const named = (kind: 'person' | 'collection' | 'readlist', names: readonly FoundName[]) =>
    names.map(({ id, name, count }) => ({ kind, value: name, id, count }))
  const suggestions = [
    ...series.map(suggestedSeries),
    ...named('person', people),
    ...named('collection', collections),
    ...named('readlist', readlists),
    ...books.map(suggestedBook),
  ]
  return { suggestions: suggestions.slice(0, suggestionsMax) }
}

type Suggestion = Suggestions['suggestions'][number]

const suggestedSeries = ({ id, title, bookCount, year, ...series }: SeriesDto): Suggestion => ({
  kind: 'series',
  value: title,
  id,
  count: bookCount,
  year,
  ...pictured(series),
})

const suggestedBook = ({ id, title, seriesName, number, volume, chapter, ...book }: BookDto): Suggestion => ({
  kind: 'book',
  value: title,
  id,
  count: 1,
  seriesName,
  number,
  volume,
  chapter,
  ...pictured(book),
})

type Pictured = Pick<SeriesDto, 'libraryName' | 'oneShot' | 'authors' | 'coverVersion' | 'placeholder' | 'tone'>

const pictured = ({ libraryName, oneShot, authors, coverVersion, placeholder, tone }: Pictured): Pictured => ({
  libraryName,
  oneShot,
  authors: oneShot ? authors : [],
  coverVersion,
  placeholder,
  tone,
})
