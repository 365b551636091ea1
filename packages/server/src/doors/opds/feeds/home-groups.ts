import type { BookDto } from '@carrel/api'
import type { Database } from '../../../database/database.ts'
import { firstBooks, firstSeries } from '../../../catalogue/lists/lists.ts'
import { seesWholeLibraries, sharedAnswers, type Viewer } from '../../../catalogue/visibility/visibility.ts'
import { newestSeries, seriesEntryIn } from '../entries/entries.ts'
import { type Group, sinceEver } from '../feed.ts'
import { publicationsOf } from '../entries/publications.ts'
import type { Lists } from './heads.ts'

const groupMax = 20
/** Nothing else of the home page is shown. */
const shelves = ['continueReading', 'onDeck', 'recentlyAddedBooks', 'recentlyAddedSeries'].join()

/** These are the groups somebody is most likely to look for; of one library where that is given. */
export const homeGroups = async (
  { context: { db, clock }, readHome, texts }: Pick<Lists, 'context' | 'readHome' | 'texts'>,
  viewer: Viewer,
  library?: string,
): Promise<Group[]> => {
  const home = await readHome(viewer, { limit: groupMax, libraryId: library, shelves }, clock())
  const query = { library }
  const books = new Map(
    [...home.continueReading, ...home.onDeck, ...home.recentlyAddedBooks].map((book) => [book.id, book]),
  )
  const described = await publicationsOf(db.read, viewer, [...books.values()], { texts })
  const publications = new Map(described.map((each) => [each.book.id, each]))
  const group = (title: string, path: string, shelf: readonly BookDto[]): Group[] =>
    shelf.length === 0
      ? []
      : [{ title, target: { path, query }, publications: shelf.flatMap(({ id }) => publications.get(id) ?? []) }]
  const ofSeries = home.recentlyAddedSeries.map(seriesEntryIn(texts))
  const newest = { ...newestSeries, query: { ...query, ...newestSeries.query } }
  return [
    ...group(texts.say('shelf.keepReading'), '/keep-reading', home.continueReading),
    ...group(texts.say('shelf.onDeck'), '/on-deck', home.onDeck),
    ...group(texts.say('shelf.newestBooks'), '/recent', home.recentlyAddedBooks),
    ...(ofSeries.length === 0 ? [] : [{ title: texts.say('shelf.newestSeries'), target: newest, entries: ofSeries }]),
  ]
}

/** So many times are kept, of libraries and of all of them together. */
const keptMax = 64

export const latestChangesOf = (db: Database): Lists['latestChange'] => {
  const cached = sharedAnswers<string>(db, keptMax)
  return (viewer, library) => cached(viewer, library ?? '', () => selectLatestChange(db, viewer, library))
}

const selectLatestChange = async (db: Database, viewer: Viewer, library?: string): Promise<string> => {
  const one = { limit: 1, libraryId: library }
  // The first in the order of an index is found at once where none of them is passed over.
  const reader = seesWholeLibraries(viewer) ? db.read : db.readSlowly
  const [series] = await firstSeries(reader, viewer, { field: 'updatedAt', direction: 'desc' }, one)
  const [book] = await firstBooks(reader, viewer, { field: 'createdAt', direction: 'desc' }, one)
  return [series?.updated_at, book?.created_at].reduce<string>(
    (latest, each) => (each !== undefined && each > latest ? each : latest),
    sinceEver,
  )
}
