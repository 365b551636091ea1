import type { SeriesCondition, SeriesSort, BookCondition, BookSort, FilterPresetDto } from '@carrel/api'
import { showBooksById } from '../../../features/books/books.ts'
import { listPresets, readPreset } from '../../../features/filter-presets/filter-presets.ts'
import { showSeriesById } from '../../../features/series/series.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import { listWantToRead } from '../../../features/want-to-read/want-to-read.ts'
import { notFound } from '../../../platform/errors.ts'
import type { Paging } from '../../../platform/paging.ts'
import { plainEntry } from '../entries/entries.ts'
import { targetOf, type Entry, type Feed } from '../feed.ts'
import { bookFeed, type Lists, navigation, type Paged, pagingFrom, seriesFeed } from './heads.ts'

/** These feeds show what users have put together for themselves. */
export const personalFeeds = (lists: Lists) => {
  const { db } = lists.context
  const { say } = lists.texts
  const listedIds = async (viewer: Viewer, kind: 'series' | 'book', paging: Paging) => {
    const { data, total } = await listWantToRead(db.readSlowly, viewer, 'custom', { ...paging, kind })
    return { total, ids: data.flatMap(({ seriesId, bookId }) => seriesId ?? bookId ?? []) }
  }
  const headOf = ({ id, name, updatedAt }: FilterPresetDto, list: 'series' | 'books', paged: Paged) => {
    const path = `/presets/${id}/${list}`
    return { id: `urn:uuid:${id}`, path, title: name, self: targetOf(path, paged), up: { path: '/presets' }, updatedAt }
  }
  const presetFor = async (viewer: Viewer, id: string, target: FilterPresetDto['target']) => {
    const preset = await readPreset(db.read, viewer, id)
    if (preset.target !== target) throw notFound('filter preset')
    const { query, libraryId } = preset
    return { preset, options: { ...(query && { fullTextSearch: query }), ...(libraryId && { libraryId }) } }
  }

  return {
    wantToRead: async (viewer: Viewer, paged: Paged): Promise<Feed> => {
      const paging = pagingFrom(paged)
      const { ids, total } = await listedIds(viewer, 'book', paging)
      const data = await showBooksById(db.readSlowly, viewer, ids)
      const head = { path: '/want-to-read', title: say('shelf.wanted'), self: targetOf('/want-to-read', paged) }
      return bookFeed(lists, viewer, head, { data, total, paging })
    },

    seriesToRead: async (viewer: Viewer, paged: Paged): Promise<Feed> => {
      const paging = pagingFrom(paged)
      const { ids, total } = await listedIds(viewer, 'series', paging)
      const data = await showSeriesById(db.readSlowly, viewer, ids)
      const self = targetOf('/want-to-read/series', paged)
      return seriesFeed(lists, { path: self.path, title: say('shelf.wantedSeries'), self }, { data, total, paging })
    },

    /** There are no more of them than one page holds. */
    presets: async (viewer: Viewer): Promise<Feed> => {
      const presets = await listPresets(db.read, viewer, {})
      const entries = presets.map(({ id, name, target, updatedAt }): Entry => ({
        ...plainEntry(name, `/presets/${id}/${target}`, say(target === 'series' ? 'shelf.series' : 'shelf.books')),
        id: `urn:uuid:${id}`,
        updated: updatedAt,
        leadsTo: target === 'series' ? 'navigation' : 'acquisition',
      }))
      return navigation({ path: '/presets', title: say('shelf.presets'), self: { path: '/presets' } }, entries)
    },

    seriesOfPreset: async (viewer: Viewer, id: string, paged: Paged): Promise<Feed> => {
      const { preset, options } = await presetFor(viewer, id, 'series')
      const paging = pagingFrom(paged)
      // Both were checked when the preset was saved.
      const sort = (preset.sort ?? undefined) as SeriesSort | undefined
      const condition = preset.condition as SeriesCondition
      const answer = await lists.series(viewer, { ...options, sort, condition }, paging)
      return seriesFeed(lists, headOf(preset, 'series', paged), { ...answer, paging })
    },

    booksOfPreset: async (viewer: Viewer, id: string, paged: Paged): Promise<Feed> => {
      const { preset, options } = await presetFor(viewer, id, 'books')
      const paging = pagingFrom(paged)
      const sort = (preset.sort ?? undefined) as BookSort | undefined
      const condition = preset.condition as BookCondition
      const answer = await lists.books(viewer, { ...options, sort, condition }, paging)
      return bookFeed(lists, viewer, headOf(preset, 'books', paged), { ...answer, paging })
    },
  }
}
