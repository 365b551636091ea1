import type { SeriesCondition } from '@carrel/api'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import { pagingOf } from '../../../platform/paging.ts'
import { allOf } from './conditions.ts'
import { seriesEntryIn } from '../entries/entries.ts'
import { targetOf, type Feed, type Group, type Target } from '../feed.ts'
import { bookFeed, keyOf, type Lists, type Paged, pagingFrom, seriesFeed } from './heads.ts'

const foundSeriesMax = 20

interface OpdsSearch {
  readonly text?: string | undefined
  readonly title?: string | undefined
  readonly author?: string | undefined
}

export const searchFeeds = (lists: Lists) => {
  const { books, series, texts } = lists
  return {
    /** `self` is spelled as each version spells it. */
    search: async (viewer: Viewer, search: OpdsSearch, paged: Paged, self: Target): Promise<Feed> => {
      const paging = pagingFrom(paged)
      const head = {
        path: keyOf(self),
        title: texts.say('search.title'),
        self: targetOf(self.path, { ...self.query, ...paged }),
      }
      const condition = allOf(
        ...(search.title === undefined ? [] : [{ title: { operator: 'contains', value: search.title } } as const]),
        ...(search.author === undefined ? [] : [{ author: { operator: 'contains', value: search.author } } as const]),
      )
      if (!search.text && !condition) return bookFeed(lists, viewer, head, { data: [], total: 0, paging })
      const options = { condition, ...(search.text && { fullTextSearch: search.text }) }
      return bookFeed(lists, viewer, head, { ...(await books(viewer, options, paging)), paging })
    },

    /** Series that bear what is looked for; an author is looked for among them too. */
    searchSeries: async (viewer: Viewer, search: OpdsSearch, paged: Paged, self: Target): Promise<Feed> => {
      const paging = pagingFrom(paged)
      const head = {
        path: keyOf(self),
        title: texts.say('search.title'),
        self: targetOf(self.path, { ...self.query, ...paged }),
      }
      const condition = allOf<SeriesCondition>(
        search.title === undefined ? undefined : { title: { operator: 'contains', value: search.title } },
        search.author === undefined ? undefined : { author: { operator: 'contains', value: search.author } },
      )
      if (!search.text && !condition) return seriesFeed(lists, head, { data: [], total: 0, paging })
      const options = { condition, ...(search.text && { fullTextSearch: search.text }) }
      return seriesFeed(lists, head, { ...(await series(viewer, options, paging)), paging })
    },

    /** The first of them, for those who show several things at once. */
    foundSeries: async (viewer: Viewer, text: string, target: Target): Promise<Group[]> => {
      const { data } = await series(viewer, { fullTextSearch: text }, pagingOf(1, foundSeriesMax))
      return data.length === 0
        ? []
        : [{ title: texts.say('shelf.series'), target, entries: data.map(seriesEntryIn(texts)) }]
    },
  }
}
