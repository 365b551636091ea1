import type { BookDto, SeriesDto, Suggestions } from '@carrel/api'
import { beginsWith, isFound, isWithin } from '../../text/marked.ts'

/** What a library has, as suggestions tell it. */
export type Hit = Suggestions['suggestions'][number]

export const keyOfHit = ({ kind, id }: Pick<Hit, 'kind' | 'id'>): string => `${kind} ${id}`

/** It has been opened, and has not been read to its end. */
export const isBegun = ({ kind, readProgress }: Hit): boolean => kind === 'book' && readProgress?.completed === false

export const hitOfBook = ({ id, title, readProgress, ...book }: BookDto): Hit => ({
  kind: 'book',
  value: title,
  id,
  count: 1,
  readProgress,
  seriesId: book.seriesId,
  seriesName: book.seriesName,
  number: book.number,
  volume: book.volume,
  chapter: book.chapter,
  fileFormat: book.fileFormat,
  pageCount: book.pageCount,
  ...pictured(book),
})

export const hitOfSeries = ({ id, title, bookCount, unreadCount, year, ...series }: SeriesDto): Hit => ({
  kind: 'series',
  value: title,
  id,
  count: bookCount,
  unreadCount,
  year,
  ...pictured(series),
})

type Pictured = Pick<
  BookDto,
  'libraryName' | 'oneShot' | 'authors' | 'coverVersion' | 'placeholder' | 'tone' | 'wantToRead'
>

const pictured = ({ coverVersion, placeholder, tone, wantToRead, ...named }: Pictured): Pictured => ({
  libraryName: named.libraryName,
  oneShot: named.oneShot,
  authors: named.authors,
  coverVersion,
  placeholder,
  tone,
  wantToRead,
})

const groupsOfHits = ['continue', 'series', 'people', 'books', 'lists'] as const
export type GroupOfHits = (typeof groupsOfHits)[number]

const groupOf = (hit: Hit): GroupOfHits => {
  if (isBegun(hit)) return 'continue'
  return ({ series: 'series', book: 'books', person: 'people', collection: 'lists', readlist: 'lists' } as const)[
    hit.kind
  ]
}

/** So many lines a group has: together they fit a screen or two. */
const linesOf: Readonly<Record<GroupOfHits, number>> = { continue: 3, series: 5, people: 3, books: 8, lists: 3 }

/** So many hits of the cache are shown before the server has answered: few, so that what is better is not far below. */
const knownOf: Readonly<Record<GroupOfHits, number>> = { continue: 3, series: 3, people: 2, books: 4, lists: 2 }

interface HitSources {
  /** What the app has at hand, whether it fits or not. */
  readonly cached: readonly Hit[]
  /** What the server has found for these very words, the best first. */
  readonly suggested: readonly Hit[]
}

/** The hits in their groups; what the server has found stands below what was shown before. */
export const hitsFor = (
  text: string,
  words: readonly string[],
  { cached, suggested }: HitSources,
): ReadonlyMap<GroupOfHits, readonly Hit[]> => {
  const fresh = new Map(suggested.map((hit) => [keyOfHit(hit), hit]))
  const first = Map.groupBy(rankCached(text, words, cached), groupOf)
  const byGroup = Map.groupBy(suggested, groupOf)
  return new Map(
    groupsOfHits.map((group) => {
      const shown = (first.get(group) ?? []).slice(0, knownOf[group]).map((hit) => fresh.get(keyOfHit(hit)) ?? hit)
      const keys = new Set(shown.map(keyOfHit))
      const below = (byGroup.get(group) ?? []).filter((hit) => !keys.has(keyOfHit(hit)))
      return [group, [...shown, ...below].slice(0, linesOf[group])]
    }),
  )
}

const rankCached = (text: string, words: readonly string[], hits: readonly Hit[]): readonly Hit[] => {
  if (words.length === 0) return []
  // A one-shot is told once: as the book that it is.
  const books = new Set(hits.flatMap(({ kind, seriesId }) => (kind === 'book' ? (seriesId ?? []) : [])))
  return hits
    .filter((hit) => isFound(wordsOfHit(hit), words) && !(hit.kind === 'series' && hit.oneShot && books.has(hit.id)))
    .map((hit) => ({ hit, rank: rankOf(hit, text, words) }))
    .toSorted(
      (one, other) =>
        one.rank - other.rank || one.hit.value.length - other.hit.value.length || numberOf(one) - numberOf(other),
    )
    .map(({ hit }) => hit)
}

const numberOf = ({ hit: { number, chapter, volume } }: { readonly hit: Hit }): number =>
  number ?? chapter ?? volume ?? 0

const rankOf = ({ value, seriesName = '' }: Hit, text: string, words: readonly string[]): number => {
  if (beginsWith(value, text)) return 0
  if (isFound(value, words)) return 1
  return beginsWith(seriesName, text) ? 2 : isWithin(seriesName, words) ? 3 : 4
}

const wordsOfHit = ({ value, seriesName, number, chapter, volume, authors = [] }: Hit): string =>
  [value, seriesName, number, chapter, volume, ...authors].filter((each) => each != null).join(' ')
