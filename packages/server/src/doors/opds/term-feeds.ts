import { seriesFacetsOf } from '../../features/series/series.ts'
import { listTerms, type TermKind } from '../../features/terms/terms.ts'
import type { Viewer } from '../../features/visibility/visibility.ts'
import { counted, plainEntry } from './entries.ts'
import { askedFor, type Entry, type Feed, idOf } from './feed.ts'
import { type Lists, navigation, type Paged, pagingFrom } from './heads.ts'

const publishersMax = 500

const kinds: Readonly<Record<TermKind, { path: string; title: string; parameter: string }>> = {
  genre: { path: '/genres', title: 'Genres', parameter: 'genre' },
  tag: { path: '/tags', title: 'Tags', parameter: 'tag' },
  person: { path: '/people', title: 'People', parameter: 'author' },
}

/** What books and series have in common. */
export const termFeeds = ({ context }: Lists) => {
  const { db } = context
  return {
    terms: async (viewer: Viewer, kind: TermKind, asked: Paged): Promise<Feed> => {
      const { path, title, parameter } = kinds[kind]
      const paging = pagingFrom(asked)
      const { data, total } = await listTerms(db.readSlowly, viewer, { kind }, paging)
      const entries = data.map(({ id, name, seriesCount, bookCount, createdAt }): Entry => {
        const query = { [parameter]: name }
        const isOfBooks = bookCount > 0
        return {
          id: `urn:uuid:${id}`,
          title: name,
          updated: createdAt,
          target: { path: isOfBooks ? '/books' : '/series', query },
          leadsTo: isOfBooks ? 'acquisition' : 'navigation',
          text: isOfBooks ? counted(bookCount, 'book', 'books') : counted(seriesCount, 'series', 'series'),
          count: isOfBooks ? bookCount : seriesCount,
        }
      })
      return navigation({ path, title, self: askedFor(path, asked) }, entries, total, paging)
    },

    publishers: async (viewer: Viewer): Promise<Feed> => {
      const { facets } = await seriesFacetsOf(context, viewer, { facets: ['publisher'], limit: publishersMax })
      const entries = (facets['publisher'] ?? [])
        .map(({ value, count }) => ({ name: String(value), count }))
        .sort((one, other) => (one.name < other.name ? -1 : 1))
        .map(({ name, count }): Entry => ({
          ...plainEntry(name, '/series', counted(count, 'series', 'series'), { count }),
          id: idOf(`/publishers ${name}`),
          target: { path: '/series', query: { publisher: name } },
        }))
      return navigation({ path: '/publishers', title: 'Publishers', self: { path: '/publishers' } }, entries)
    },
  }
}
