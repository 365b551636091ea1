import { seriesFacetsOf } from '../../../catalogue/lists/lists.ts'
import { listTerms } from '../../../features/terms/terms.ts'
import { type TermKind } from '../../../catalogue/terms/terms.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import { counted, plainEntry } from '../entries/entries.ts'
import { targetOf, type Entry, type Feed, idOf } from '../feed.ts'
import { type Lists, navigation, type Paged, pagingFrom } from './heads.ts'
import { languageName } from '../entries/languages.ts'

const valuesMax = 500

/** It groups series by one of their columns. */
interface Values {
  readonly facet: 'publisher' | 'language'
  readonly path: string
  readonly title: string
  readonly nameOf: (value: string) => string
}

const kinds: Readonly<Record<TermKind, { path: string; title: string; parameter: string }>> = {
  genre: { path: '/genres', title: 'Genres', parameter: 'genre' },
  tag: { path: '/tags', title: 'Tags', parameter: 'tag' },
  person: { path: '/people', title: 'People', parameter: 'author' },
}

/** These feeds group books and series by their common terms. */
export const termFeeds = ({ context }: Lists) => {
  const { db } = context
  const valuesOf = async (viewer: Viewer, { facet, path, title, nameOf }: Values): Promise<Feed> => {
    const { facets } = await seriesFacetsOf(context, viewer, { facets: [facet], limit: valuesMax })
    const entries = (facets[facet] ?? [])
      .map(({ value, count }) => ({ value: String(value), name: nameOf(String(value)), count }))
      .sort((one, other) => (one.name < other.name ? -1 : 1))
      .map(({ value, name, count }): Entry => ({
        ...plainEntry(name, '/series', counted(count, 'series', 'series'), { count }),
        id: idOf(`${path} ${value}`),
        target: { path: '/series', query: { [facet]: value } },
      }))
    return navigation({ path, title, self: { path } }, entries)
  }
  return {
    terms: async (viewer: Viewer, kind: TermKind, paged: Paged): Promise<Feed> => {
      const { path, title, parameter } = kinds[kind]
      const paging = pagingFrom(paged)
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
      return navigation({ path, title, self: targetOf(path, paged) }, entries, total, paging)
    },

    publishers: (viewer: Viewer): Promise<Feed> =>
      valuesOf(viewer, { facet: 'publisher', path: '/publishers', title: 'Publishers', nameOf: (value) => value }),

    languages: (viewer: Viewer): Promise<Feed> =>
      valuesOf(viewer, { facet: 'language', path: '/languages', title: 'Languages', nameOf: languageName }),
  }
}
