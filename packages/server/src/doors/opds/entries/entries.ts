import type { LibraryDto, SeriesDto } from '@carrel/api'
import type { Texts } from '../../../texts/texts.ts'
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
export const shelves = ({ say }: Texts, library?: string): readonly Entry[] => {
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
    entry(say('shelf.keepReading'), '/keep-reading', say('about.keepReading'), acquisition),
    entry(say('shelf.onDeck'), '/on-deck', say('about.onDeck'), acquisition),
    entry(say('shelf.newestBooks'), '/recent', say('about.newest'), { ...acquisition, isNewest: true }),
    entry(say('shelf.series'), '/series', say('about.series')),
    entry(say('shelf.newestSeries'), '/series', say('about.newest'), sorted('new')),
    entry(say('shelf.updatedSeries'), '/series', say('about.updatedSeries'), sorted('updated')),
    entry(say('shelf.books'), '/books', say('about.books'), acquisition),
  ]
}

export const beginnings = (texts: Texts): readonly Entry[] => {
  const { say } = texts
  return [
    ...shelves(texts),
    plainEntry(say('shelf.letters'), '/letters', say('about.letters')),
    plainEntry(say('shelf.wanted'), '/want-to-read', say('about.wanted'), { leadsTo: 'acquisition' }),
    plainEntry(say('shelf.wantedSeries'), '/want-to-read/series', say('about.wantedSeries')),
    plainEntry(say('shelf.libraries'), '/libraries', say('about.libraries')),
    plainEntry(say('shelf.collections'), '/collections', say('about.collections')),
    plainEntry(say('shelf.readLists'), '/readlists', say('about.readLists')),
    plainEntry(say('shelf.presets'), '/presets', say('about.presets')),
    plainEntry(say('shelf.people'), '/people', say('about.people')),
    plainEntry(say('shelf.genres'), '/genres', say('about.genres')),
    plainEntry(say('shelf.tags'), '/tags', say('about.tags')),
    plainEntry(say('shelf.publishers'), '/publishers', say('about.publishers')),
    plainEntry(say('shelf.languages'), '/languages', say('about.languages')),
  ]
}

/** An entry that leads to content is as new as the newest of it. */
export const asOf = (updated: string, entries: readonly Entry[]): readonly Entry[] =>
  entries.map((entry) => ({ ...entry, updated }))

export const seriesEntryIn =
  ({ say, count }: Texts) =>
  ({ id, title, summary, bookCount, coverVersion, updatedAt }: SeriesDto): Entry => {
    const books = count('books', bookCount)
    return {
      id: `urn:uuid:${id}`,
      title,
      updated: updatedAt,
      target: { path: `/series/${id}` },
      leadsTo: 'acquisition',
      text: summary ? say('seriesInShort', { books, summary: shortened(summary) }) : books,
      count: bookCount,
      picture: { of: 'series', id, coverVersion },
    }
  }

export const libraryEntryIn =
  ({ count }: Texts) =>
  ({ id, name, description, seriesCount, updatedAt }: LibraryDto): Entry => ({
    ...plainEntry(name, `/libraries/${id}`, description ?? count('series', seriesCount)),
    id: `urn:uuid:${id}`,
    updated: updatedAt,
    count: seriesCount,
    ...(seriesCount > 0 && { picture: { of: 'libraries', id } }),
  })

/** Small devices read whole feeds into memory. */
const shortened = (text: string): string => (text.length > 300 ? `${[...text].slice(0, 297).join('')}…` : text)
