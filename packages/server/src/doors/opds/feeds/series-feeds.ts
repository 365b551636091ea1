import type { SeriesDto } from '@carrel/api'
import type { opdsSeriesQuery } from '@carrel/api/doors'
import type { Static } from 'typebox'
import { listLibraries } from '../../../features/libraries/libraries.ts'
import { requireLibrary } from '../../../catalogue/entries/entries.ts'
import { seriesLettersOf } from '../../../catalogue/lists/lists.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import { seriesCondition } from './conditions.ts'
import { asOf, libraryEntryIn, plainEntry, shelves } from '../entries/entries.ts'
import { targetOf, type Feed, pageSizeUsual } from '../feed.ts'
import { keyOf, type Lists, navigation, type Paged, pagingFrom, seriesFeed } from './heads.ts'
import { homeGroups } from './home-groups.ts'
import { languageName } from '../entries/languages.ts'
import { stretchesOf, within } from './letters.ts'

type SeriesFeedQuery = Static<typeof opdsSeriesQuery>

const seriesSorts = { title: 'name,asc', new: 'createdAt,desc', updated: 'updatedAt,desc' } as const

export const seriesFeeds = (lists: Lists) => {
  const { series, context, texts } = lists
  const { say } = texts
  const { db } = context
  return {
    series: async (viewer: Viewer, query: SeriesFeedQuery): Promise<Feed> => {
      const { sort = 'title' } = query
      const paging = pagingFrom(query)
      const { library: libraryId } = query
      const options = { sort: seriesSorts[sort], libraryId, condition: seriesCondition(query) }
      const answer = await series(viewer, options, paging)
      const self = targetOf('/series', query)
      const language = query.language && languageName(query.language, texts.language)
      const named = [query.author, query.publisher, query.genre, query.tag, language].filter(
        (name) => name !== undefined,
      )
      const usual = ({ title: 'shelf.series', new: 'shelf.newestSeries', updated: 'shelf.updatedSeries' } as const)[
        sort
      ]
      const head = { path: keyOf(self), title: named.join(', ') || say(usual), self }
      return seriesFeed(lists, head, { ...answer, paging })
    },

    letters: async (viewer: Viewer): Promise<Feed> => {
      const { letters } = await seriesLettersOf(context, viewer, {}, pageSizeUsual)
      const entries = letters.map(({ letter, count }) =>
        plainEntry(letter, `/letters/${encodeURIComponent(letter)}`, texts.count('series', count), { count }),
      )
      return navigation({ path: '/letters', title: say('shelf.letters'), self: { path: '/letters' } }, entries)
    },

    /** It holds the parts of the list by name that begin with the letter; an unused letter gives an empty list. */
    seriesByLetter: async (viewer: Viewer, letter: string, paged: Paged): Promise<Feed> => {
      // With a page size of one, the page of a letter is the position of its first series.
      const { letters } = await seriesLettersOf(context, viewer, {}, 1)
      const paging = pagingFrom(paged)
      const stretches = stretchesOf(letters, letter)
      const data: SeriesDto[] = []
      for (const stretch of within(stretches, paging)) {
        const answer = await series(viewer, { sort: 'name,asc' }, { ...paging, ...stretch })
        data.push(...answer.data)
      }
      const total = stretches.reduce((sum, { limit }) => sum + limit, 0)
      const path = `/letters/${encodeURIComponent(letter)}`
      const head = { path, title: letter, self: targetOf(path, paged), up: { path: '/letters' } }
      return seriesFeed(lists, head, { data, total, paging })
    },

    libraries: async (viewer: Viewer, paged: Paged): Promise<Feed> => {
      const paging = pagingFrom(paged)
      const { data, total } = await listLibraries(db, viewer, undefined, paging)
      const head = { path: '/libraries', title: say('shelf.libraries'), self: targetOf('/libraries', paged) }
      return navigation(head, data.map(libraryEntryIn(texts)), total, paging)
    },

    /** It shows one library; applications that show groups get the beginning of it too. */
    library: async (viewer: Viewer, id: string): Promise<Feed> => {
      const { name } = await requireLibrary(db.read, viewer, id)
      const path = `/libraries/${id}`
      const head = { id: `urn:uuid:${id}`, path, title: name, self: { path }, up: { path: '/libraries' } }
      const entries = asOf(await lists.latestChange(viewer, id), shelves(texts, id))
      return { ...navigation(head, entries), groups: await homeGroups(lists, viewer, id) }
    },
  }
}
