/**
 * A made-up household whose tastes are known: what its members like is a few authors, themes and genres each; what they
 * read is mostly that, and partly what everybody reads. A fifth of the series is badly described. The same seed makes the
 * same household.
 */
import type { LibraryEntry } from '@carrel/plugin-sdk'

export interface Reader {
  readonly name: string
  /** The order is that in which they were read. */
  readonly reads: readonly { readonly series: number; readonly isLiked: boolean; readonly rating?: number }[]
}

export interface Household {
  readonly series: readonly LibraryEntry[]
  readonly readers: readonly Reader[]
}

const genres = [
  'Adventure',
  'Comedy',
  'Crime',
  'Drama',
  'Fantasy',
  'Horror',
  'Romance',
  'Science Fiction',
  'Sport',
  'War',
]
const seriesCount = 1_200
const authorCount = 260
const tagCount = 140
const publisherCount = 24
const readerCount = 24

interface Traits {
  readonly authors: readonly number[]
  readonly tags: readonly number[]
  readonly genres: readonly number[]
  readonly fame: number
}

export const makeHousehold = (seed: number): Household => {
  const random = mulberry(seed)
  const below = (limit: number): number => Math.floor(random() * limit)
  /** The first are far more frequent than the last. */
  const skewed = (limit: number): number => Math.floor(limit * random() ** 2)
  const several = (count: number, pick: () => number): number[] => [...new Set(Array.from({ length: count }, pick))]
  const traits = Array.from({ length: seriesCount }, (): Traits => {
    const genre = below(genres.length)
    return {
      authors: several(1 + below(2), () => skewed(authorCount)),
      // Themes go with genres, though not only.
      tags: several(3 + below(5), () => (random() < 0.7 ? (genre * 14 + below(20)) % tagCount : below(tagCount))),
      genres: several(1 + below(2), () => (random() < 0.8 ? genre : below(genres.length))),
      fame: random() ** 4,
    }
  })
  const series = traits.map((own, place): LibraryEntry => {
    const isBare = random() < 0.2
    return {
      seriesId: `series-${String(place).padStart(4, '0')}`,
      title: `Series ${place}`,
      genres: own.genres.map((genre) => genres[genre] ?? ''),
      tags: isBare ? [] : own.tags.map((tag) => `theme ${tag}`),
      metadata: {
        authors: isBare ? [] : own.authors.map((author) => ({ name: `Author ${author}`, role: 'writer' })),
        publisher: `House ${skewed(publisherCount)}`,
      },
    }
  })
  const readers = Array.from({ length: readerCount }, (_, place): Reader => {
    const likes = {
      authors: several(5, () => skewed(authorCount)),
      tags: several(6, () => below(tagCount)),
      genres: several(2, () => below(genres.length)),
    }
    const liking = ({ authors, tags, genres }: Traits): number =>
      1.6 * shared(authors, likes.authors) + 0.7 * shared(tags, likes.tags) + 0.5 * shared(genres, likes.genres)
    const wanted = traits
      .map((own, series) => ({ series, liking: liking(own), pull: liking(own) + 1.2 * own.fame + random() }))
      .toSorted((a, b) => b.pull - a.pull)
      .slice(0, 25 + below(40))
    const reads = wanted.map(({ series, liking }) => {
      const isLiked = liking + (random() - 0.5) * 0.8 >= 0.9
      const rating = isLiked ? 70 + below(31) : 15 + below(40)
      return random() < 0.5 ? { series, isLiked, rating } : { series, isLiked }
    })
    return { name: `reader ${place}`, reads }
  })
  return { series, readers }
}

const shared = (a: readonly number[], b: readonly number[]): number => a.filter((one) => b.includes(one)).length

/** Mulberry32, a small generator whose numbers are the same everywhere. */
const mulberry = (seed: number) => {
  let state = seed
  return (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** The library as a host sends it for one reader, with one series they have read hidden among those they have not. */
export const libraryOf = ({ series }: Household, { reads }: Reader, hidden: number): LibraryEntry[] => {
  const own = new Map(reads.filter(({ series: place }) => place !== hidden).map((read) => [read.series, read]))
  return series.map((entry, place) => {
    const read = own.get(place)
    if (!read) return { ...entry, readingStatus: 'unread', booksRead: 0 }
    return {
      ...entry,
      readingStatus: read.isLiked ? 'completed' : 'dropped',
      booksRead: read.isLiked ? 5 : 1,
      ...(read.rating !== undefined && { userRating: read.rating }),
    }
  })
}
