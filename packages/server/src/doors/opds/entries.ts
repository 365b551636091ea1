import type { LibraryDto, SeriesDto } from '@carrel/api'
import { type Entry, idOf, sinceEver, type Target } from './feed.ts'

export const plainEntry = (title: string, path: string, text: string, more: Partial<Entry> = {}): Entry => ({
  id: idOf(path),
  title,
  updated: sinceEver,
  target: { path },
  leadsTo: 'navigation',
  text,
  ...more,
})

export const newestSeries: Target = { path: '/series', query: { sort: 'new' } }

export const beginnings: readonly Entry[] = [
  plainEntry('Keep reading', '/keep-reading', 'Books you have begun', { leadsTo: 'acquisition' }),
  plainEntry('On deck', '/on-deck', 'The next books of series you are reading', { leadsTo: 'acquisition' }),
  plainEntry('Newest books', '/recent', 'What came last', { leadsTo: 'acquisition', isNewest: true }),
  plainEntry('Series', '/series', 'All series by title'),
  plainEntry('Series by letter', '/letters', 'All series by the letter they begin with'),
  plainEntry('Newest series', '/series new', 'What came last', { target: newestSeries }),
  plainEntry('Updated series', '/series updated', 'Series something came to, the latest first', {
    target: { path: '/series', query: { sort: 'updated' } },
  }),
  plainEntry('Books', '/books', 'All books by title', { leadsTo: 'acquisition' }),
  plainEntry('Libraries', '/libraries', 'Library by library'),
  plainEntry('Collections', '/collections', 'Series that belong together'),
  plainEntry('Read lists', '/readlists', 'Books in an order to be read in'),
  plainEntry('People', '/people', 'Those who wrote and drew'),
  plainEntry('Genres', '/genres', 'By genre'),
  plainEntry('Tags', '/tags', 'By tag'),
  plainEntry('Publishers', '/publishers', 'By publisher'),
]

export const seriesEntry = ({ id, title, summary, bookCount, coverVersion, updatedAt }: SeriesDto): Entry => ({
  id: `urn:uuid:${id}`,
  title,
  updated: updatedAt,
  target: { path: `/series/${id}` },
  leadsTo: 'acquisition',
  text: [counted(bookCount, 'book', 'books'), ...(summary ? [shortened(summary)] : [])].join('. '),
  count: bookCount,
  series: { id, coverVersion },
})

export const libraryEntry = ({ id, name, description, seriesCount, updatedAt }: LibraryDto): Entry => ({
  ...plainEntry(name, `/libraries/${id}`, description ?? counted(seriesCount, 'series', 'series')),
  id: `urn:uuid:${id}`,
  updated: updatedAt,
  count: seriesCount,
})

export const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

/** Small devices read whole feeds into memory. */
const shortened = (text: string): string => (text.length > 300 ? `${[...text].slice(0, 297).join('')}…` : text)
