import * as api from '@carrel/api'
import { copiedTables } from '../src/database/copied-tables.ts'
import { concernOf } from '../src/database/whom-it-concerns.ts'
import type { Person, TestServer } from './start-server.ts'
import { idOf } from './visible-world.ts'

/** What stands behind `from`, `join` and commas, where that is the name of a table. */
const tablesReadBy = (sql: string): string[] =>
  [...sql.matchAll(/(?:\bfrom|\bjoin|,)\s+\(?"?(\w+)/gi)].flatMap(([, name = '']) =>
    copiedTables.includes(name) ? name : [],
  )

/** The tables that were read for answers which are kept, and whom they concern. */
export const keptReadsIn = (lines: TestServer['logLines']) =>
  [...new Set(lines.flatMap(({ sql, isKept }) => (isKept && typeof sql === 'string' ? sql : [])))].flatMap((sql) =>
    tablesReadBy(sql).map((table) => ({ sql, table, concern: concernOf(table) })),
  )

interface Written {
  readonly bookId: string
  readonly seriesId: string
}

/** What somebody does, by whom and where. */
export const writes: Readonly<
  Record<string, (person: Person, written: Written) => Promise<{ readonly status: number }>>
> = {
  'turns a page': ({ call }, { bookId: id }) => call(api.saveProgress, { params: { id }, body: { currentPage: 2 } }),
  'finishes a book': ({ call }, { bookId: id }) => call(api.markBookRead, { params: { id } }),
  'rates a series': ({ call }, { seriesId: id }) =>
    call(api.saveSeriesRating, { params: { id }, body: { rating: 77 } }),
  'follows a series no more': ({ call }, { seriesId: id }) => call(api.unfollowSeries, { params: { id } }),
  'gives up a series': ({ call }, { seriesId: id }) =>
    call(api.saveReadingStatus, { params: { id }, body: { status: 'dropped' } }),
  'wants a series': ({ call }, { seriesId }) => call(api.addWantToRead, { body: { seriesId } }),
  'renames a series': ({ call }, { seriesId: id }) =>
    call(api.editSeriesMetadata, { params: { id }, body: { title: 'Renamed', genres: ['Made up'] } }),
  'fills a collection': ({ call }) => call(api.createCollection, { body: { name: `New ${(made += 1)}` } }),
  'closes a series to others': ({ call }, { seriesId: id }) =>
    call(api.saveSeriesSharingTags, { params: { id }, body: { tagIds: [idOf('tag', 2)] } }),
}
let made = 0
