import type { LibraryDto, SeriesDto } from '@carrel/api'
import { type Entry, idOf, type Query, sinceEver, type Target } from '../feed.ts'

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

/** These are the shelves somebody is most likely to look for; of one library where that is given. */
export const shelves = (library?: string): readonly Entry[] => {
  const query: Query = { library }
  const entry = (title: string, path: string, text: string, more: Partial<Entry> = {}): Entry => ({
    ...plainEntry(title, path, text, { target: { path, query }, ...more }),
    ...(library !== undefined && { id: idOf(`${more.id ?? path} ${library}`) }),
  })
  const acquisition = { leadsTo: 'acquisition' } as const
  const sorted = (sort: string): Partial<Entry> => ({
    id: idOf(`/series ${sort}`),
    target: { path: '/series', query: { ...query, sort } },
  })
  return [
    entry('Keep reading', '/keep-reading', 'Books you have begun', acquisition),
    entry('On deck', '/on-deck', 'The next books of series you are reading', acquisition),
    entry('Newest books', '/recent', 'What came last', { ...acquisition, isNewest: true }),
    entry('Series', '/series', 'All series by title'),
    entry('Newest series', '/series', 'What came last', sorted('new')),
    entry('Updated series', '/series', 'Series something came to, the latest first', sorted('updated')),
    entry('Books', '/books', 'All books by title', acquisition),
  ]
}

export const beginnings: readonly Entry[] = [
  ...shelves(),
  plainEntry('Series by letter', '/letters', 'All series by the letter they begin with'),
  plainEntry('Want to read', '/want-to-read', 'Books on your list', { leadsTo: 'acquisition' }),
  plainEntry('Series to read', '/want-to-read/series', 'Series on your list'),
  plainEntry('Libraries', '/libraries', 'Library by library'),
  plainEntry('Collections', '/collections', 'Series that belong together'),
  plainEntry('Read lists', '/readlists', 'Books in an order to be read in'),
  plainEntry('Saved filters', '/presets', 'What your own filters find'),
  plainEntry('People', '/people', 'Those who wrote and drew'),
  plainEntry('Genres', '/genres', 'By genre'),
  plainEntry('Tags', '/tags', 'By tag'),
  plainEntry('Publishers', '/publishers', 'By publisher'),
  plainEntry('Languages', '/languages', 'By language'),
]

/** An entry that leads to content is as new as the newest of it. */
export const asOf = (updated: string, entries: readonly Entry[]): readonly Entry[] =>
  entries.map((entry) => ({ ...entry, updated }))

export const seriesEntry = ({ id, title, summary, bookCount, coverVersion, updatedAt }: SeriesDto): Entry => ({
  id: `urn:uuid:${id}`,
  title,
  updated: updatedAt,
  target: { path: `/series/${id}` },
  leadsTo: 'acquisition',
  text: [counted(bookCount, 'book', 'books'), ...(summary ? [shortened(summary)] : [])].join('. '),
  count: bookCount,
  picture: { of: 'series', id, coverVersion },
})

export const libraryEntry = ({ id, name, description, seriesCount, updatedAt }: LibraryDto): Entry => ({
  ...plainEntry(name, `/libraries/${id}`, description ?? counted(seriesCount, 'series', 'series')),
  id: `urn:uuid:${id}`,
  updated: updatedAt,
  count: seriesCount,
  ...(seriesCount > 0 && { picture: { of: 'libraries', id } }),
})

export const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

/** Small devices read whole feeds into memory. */
const shortened = (text: string): string => (text.length > 300 ? `${[...text].slice(0, 297).join('')}…` : text)
