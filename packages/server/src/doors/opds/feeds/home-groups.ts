import type { BookDto } from '@carrel/api'
import type { Context } from '../../../context.ts'
import type { Database } from '../../../database/database.ts'
import { firstBooks, firstSeries } from '../../../catalogue/lists/lists.ts'
import { readHome } from '../../../features/home/home.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import { newestSeries, seriesEntry } from '../entries/entries.ts'
import { type Group, sinceEver } from '../feed.ts'
import { publicationsOf } from '../entries/publications.ts'

const groupMax = 20

/** These are the groups somebody is most likely to look for; of one library where that is given. */
export const homeGroups = async (
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  viewer: Viewer,
  library?: string,
): Promise<Group[]> => {
  const home = await readHome(db, viewer, { limit: groupMax, libraryId: library }, clock())
  const query = { library }
  const group = async (title: string, path: string, shelf: readonly BookDto[]): Promise<Group[]> =>
    shelf.length === 0
      ? []
      : [{ title, target: { path, query }, publications: await publicationsOf(db.read, viewer, shelf) }]
  const ofSeries = home.recentlyAddedSeries.map(seriesEntry)
  const newest = { ...newestSeries, query: { ...query, ...newestSeries.query } }
  return [
    ...(await group('Keep reading', '/keep-reading', home.continueReading)),
    ...(await group('On deck', '/on-deck', home.onDeck)),
    ...(await group('Newest books', '/recent', home.recentlyAddedBooks)),
    ...(ofSeries.length === 0 ? [] : [{ title: 'Newest series', target: newest, entries: ofSeries }]),
  ]
}

/** When something was changed last in what somebody sees. */
export const latestChange = async (db: Database, viewer: Viewer, library?: string): Promise<string> => {
  const one = { limit: 1, libraryId: library }
  const [series] = await firstSeries(db.readSlowly, viewer, { field: 'updatedAt', direction: 'desc' }, one)
  const [book] = await firstBooks(db.readSlowly, viewer, { field: 'createdAt', direction: 'desc' }, one)
  return [series?.updated_at, book?.created_at].reduce<string>(
    (latest, each) => (each !== undefined && each > latest ? each : latest),
    sinceEver,
  )
}
