import type { BookMetadata, SearchResult, SeriesMetadata } from '@carrel/plugin-sdk'
import type { Entry } from './entry.ts'

const descriptionCharacters = 300

export const resultOf = (
  { id, type, title, alternateTitles, genres, authors, texts, numbers }: Entry,
  relevanceScore: number,
): SearchResult => ({
  externalId: id,
  title,
  alternateTitles: [...alternateTitles],
  year: numbers.year,
  coverUrl: texts.coverUrl,
  relevanceScore: Math.round(relevanceScore * 1_000) / 1_000,
  preview: {
    genres: [...genres],
    authors: [...authors],
    status: texts.status,
    description: texts.summary?.slice(0, descriptionCharacters),
    bookCount: type === 'series' ? numbers.volumes : undefined,
    rating: numbers.rating === undefined ? undefined : numbers.rating / 10,
  },
})

const whatBothHave = (entry: Entry) => ({
  externalId: entry.id,
  externalUrl: entry.texts.url,
  title: entry.title,
  alternateTitles: entry.alternateTitles.map((title) => ({ title })),
  summary: entry.texts.summary,
  year: entry.numbers.year,
  language: entry.texts.language,
  genres: [...entry.genres],
  tags: [...entry.tags],
  authors: entry.authors.map((name) => ({ name, role: 'author' })),
  artists: [...entry.artists],
  publisher: entry.texts.publisher,
  coverUrl: entry.texts.coverUrl,
  rating: entry.numbers.rating === undefined ? undefined : { score: entry.numbers.rating, source: 'local-catalogue' },
  externalIds: [...entry.externalIds],
})

export const seriesOf = (entry: Entry): SeriesMetadata => ({
  ...whatBothHave(entry),
  status: entry.texts.status,
  totalVolumeCount: entry.numbers.volumes,
  totalChapterCount: entry.numbers.chapters,
  ageRating: entry.numbers.ageRating,
  readingDirection: entry.texts.readingDirection,
})

export const bookOf = (entry: Entry): BookMetadata => ({
  ...whatBothHave(entry),
  subtitle: entry.texts.subtitle,
  volume: entry.numbers.volume,
  pageCount: entry.numbers.pageCount,
  releaseDate: entry.texts.releaseDate,
  isbn: entry.isbns.find(({ length }) => length === 13) ?? entry.isbns[0],
  isbns: [...entry.isbns],
})
