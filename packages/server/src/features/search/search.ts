import { type BookDto, type SearchResults, type SeriesDto, type Suggestions, suggestionsMax } from '@carrel/api'
import type { Database } from '../../database/database.ts'
import type { BoundedMap } from '../../platform/memory/bounded-map.ts'
import { showBooksById } from '../books/books.ts'
import {
  find,
  type FoundName,
  type IdsByTarget,
  type Limits,
  prepareQuery,
  selectFoundNames,
} from '../../catalogue/search-index/search-index.ts'
import { showCoversById, showSeriesById } from '../series/series.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'

export interface SearchRequest {
  readonly text: string
  readonly isForgiving: boolean
}

/** What was found for those who may see the same, as long as nothing of it changes: who types finds the same again. */
export interface CachedSearches {
  /** People whose series were counted, by id. */
  readonly counted: BoundedMap<NameWithCovers>
  readonly ids: (limits: Required<Limits>, find: () => Promise<IdsByTarget>) => IdsByTarget | Promise<IdsByTarget>
}

type NameWithCovers = SearchResults['people'][number]

interface Search extends SearchRequest {
  readonly cached: CachedSearches
}

/** It searches each place for as many results as are asked for. */
const searchIn = async (
  db: Database,
  viewer: Viewer,
  { text, isForgiving, cached }: Search,
  limits: Required<Limits>,
): Promise<SearchResults> => {
  const { counted } = cached
  const ids = await cached.ids(limits, async () => {
    const query = await prepareQuery(db, text, isForgiving)
    return query ? find(db, viewer, query, limits) : new Map()
  })
  if (ids.size === 0) return { series: [], books: [], people: [], collections: [], readlists: [] }
  const idsOf = (target: keyof typeof limits): readonly string[] => ids.get(target) ?? []
  const [series, books, named] = await Promise.all([
    showSeriesById(db.readSlowly, viewer, idsOf('series')),
    showBooksById(db.readSlowly, viewer, idsOf('book')),
    namesWithCovers(db, viewer, {
      term: idsOf('term').filter((id) => !counted.get(id)),
      collection: idsOf('collection'),
      read_list: idsOf('read_list'),
    }),
  ])
  for (const person of named.term) counted.set(person.id, person)
  const people = idsOf('term').flatMap((id) => counted.get(id) ?? [])
  return { series, books, people, collections: named.collection, readlists: named.read_list }
}

/** The covers of all that is found are read in one go. */
const namesWithCovers = async (db: Database, viewer: Viewer, ids: Parameters<typeof selectFoundNames>[2]) => {
  const names = await selectFoundNames(db.readSlowly, viewer, ids)
  const seriesIds = Object.values(names).flatMap((each) => each.flatMap(({ seriesIds }) => seriesIds))
  const covers = await showCoversById(db.readSlowly, viewer, [...new Set(seriesIds)])
  const coverOf = new Map(covers.map((cover) => [cover.seriesId, cover]))
  const withCovers = (all: readonly FoundName[]): NameWithCovers[] =>
    all.map(({ seriesIds, ...name }) => ({ ...name, covers: seriesIds.flatMap((id) => coverOf.get(id) ?? []) }))
  return {
    term: withCovers(names.term),
    collection: withCovers(names.collection),
    read_list: withCovers(names.read_list),
  }
}

export const search = (db: Database, viewer: Viewer, request: Search, limit: number): Promise<SearchResults> =>
  searchIn(db, viewer, request, { series: limit, book: limit, term: limit, collection: limit, read_list: limit })

/** Series first, then whoever and whatever bears such a name; books fill what is left, and a few have their place in any case. */
const suggested = { series: 5, book: suggestionsMax, term: 2, collection: 1, read_list: 1 }
const booksInAnyCase = 3

export const suggest = async (db: Database, viewer: Viewer, request: Search): Promise<Suggestions> => {
  const { series, books, people, collections, readlists } = await searchIn(db, viewer, request, suggested)
  const named = (kind: 'person' | 'collection' | 'readlist', names: readonly NameWithCovers[]): Suggestion[] =>
    names.map(({ id, name, count, covers }) => ({ kind, value: name, id, count, covers }))
  const names = [...named('person', people), ...named('collection', collections), ...named('readlist', readlists)]
  const roomForSeries = suggestionsMax - names.length - Math.min(books.length, booksInAnyCase)
  const suggestions = [
    ...series.filter(isNoBookAmong(books)).slice(0, roomForSeries).map(suggestedSeries),
    ...names,
    ...books.toSorted((one, other) => Number(isBegun(other)) - Number(isBegun(one))).map(suggestedBook),
  ]
  return { suggestions: suggestions.slice(0, suggestionsMax) }
}

/** A one-shot is told once: as the book that it is. */
const isNoBookAmong =
  (books: readonly BookDto[]) =>
  ({ id, oneShot }: SeriesDto): boolean =>
    !oneShot || !books.some(({ seriesId }) => seriesId === id)

const isBegun = ({ readProgress }: BookDto): boolean => readProgress?.completed === false

type Suggestion = Suggestions['suggestions'][number]

const suggestedSeries = ({ id, title, bookCount, unreadCount, year, ...series }: SeriesDto): Suggestion => ({
  kind: 'series',
  value: title,
  id,
  count: bookCount,
  year,
  unreadCount,
  ...pictured(series),
})

const suggestedBook = ({ id, title, readProgress, ...book }: BookDto): Suggestion => ({
  kind: 'book',
  value: title,
  id,
  count: 1,
  seriesId: book.seriesId,
  seriesName: book.seriesName,
  number: book.number,
  volume: book.volume,
  chapter: book.chapter,
  fileFormat: book.fileFormat,
  pageCount: book.pageCount,
  readProgress: readProgress && {
    currentPage: readProgress.currentPage,
    progressPercentage: readProgress.progressPercentage,
    completed: readProgress.completed,
  },
  ...pictured(book),
})

type Pictured = Pick<
  SeriesDto,
  'libraryName' | 'oneShot' | 'authors' | 'coverVersion' | 'placeholder' | 'tone' | 'wantToRead'
>

const pictured = ({
  libraryName,
  oneShot,
  authors,
  coverVersion,
  placeholder,
  tone,
  wantToRead,
}: Pictured): Pictured => ({
  libraryName,
  oneShot,
  authors,
  coverVersion,
  placeholder,
  tone,
  wantToRead,
})
