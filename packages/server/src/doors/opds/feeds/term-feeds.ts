import type { Language } from '@carrel/api'
import { seriesFacetsOf } from '../../../catalogue/lists/lists.ts'
import { listTerms } from '../../../features/terms/terms.ts'
import { type TermKind } from '../../../catalogue/terms/terms.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import { plainEntry } from '../entries/entries.ts'
import { targetOf, type Entry, type Feed, idOf } from '../feed.ts'
import { type Lists, navigation, type Paged, pagingFrom } from './heads.ts'
import { languageName } from '../entries/languages.ts'

const valuesMax = 500

/** It groups series by one of their columns. */
interface Values {
  readonly facet: 'publisher' | 'language'
  readonly path: string
  readonly title: string
  readonly nameOf: (value: string, inLanguage: Language) => string
}

const kinds = {
  genre: { path: '/genres', title: 'shelf.genres', parameter: 'genre' },
  tag: { path: '/tags', title: 'shelf.tags', parameter: 'tag' },
  person: { path: '/people', title: 'shelf.people', parameter: 'author' },
} as const satisfies Readonly<Record<TermKind, { path: string; title: string; parameter: string }>>

/** These feeds group books and series by their common terms. */
export const termFeeds = ({ context, texts }: Lists) => {
  const { db } = context
  const { say, count: inWords } = texts
  const valuesOf = async (viewer: Viewer, { facet, path, title, nameOf }: Values): Promise<Feed> => {
    const { facets } = await seriesFacetsOf(context, viewer, { facets: [facet], limit: valuesMax })
    const entries = (facets[facet] ?? [])
      .map(({ value, count }) => ({ value: String(value), order: nameOf(String(value), 'en'), count }))
      // A feed has the same order for everybody who has kept it, whatever it is read in.
      .sort((one, other) => (one.order < other.order ? -1 : 1))
      .map(({ value, count }): Entry => ({
        ...plainEntry(nameOf(value, texts.language), '/series', inWords('series', count), { count }),
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
          text: isOfBooks ? inWords('books', bookCount) : inWords('series', seriesCount),
          count: isOfBooks ? bookCount : seriesCount,
        }
      })
      return navigation({ path, title: say(title), self: targetOf(path, paged) }, entries, total, paging)
    },

    publishers: (viewer: Viewer): Promise<Feed> =>
      valuesOf(viewer, {
        facet: 'publisher',
        path: '/publishers',
        title: say('shelf.publishers'),
        nameOf: (value) => value,
      }),

    languages: (viewer: Viewer): Promise<Feed> =>
      valuesOf(viewer, { facet: 'language', path: '/languages', title: say('shelf.languages'), nameOf: languageName }),
  }
}
