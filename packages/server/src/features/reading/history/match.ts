import type { ReadDb } from '../../../database/database.ts'
import { seriesNameKey, titleKey } from '../../../platform/text/name-keys.ts'
import { sortKey } from '../../../platform/text/sort-key.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import type { HistoryEntry } from './entries.ts'
import { type BookPath, selectByHash, selectByPath, selectBySeries, selectByTitle } from './queries.ts'

export type Match =
  | { readonly bookId: string; readonly by: 'hash' | 'path' | 'title' }
  | { readonly reason: 'no_book' | 'several_books' }

/** Roots lie elsewhere on another server: so much of the end of a path is compared. */
const foldersMax = 6
const booksMax = 20_000

type HistoryMatchKey = Pick<HistoryEntry, 'fileHash' | 'path' | 'series' | 'title'>

/**
 * A book is found by the hash of its file, else by its path, else by title: the first of these that gives exactly one
 * book wins.
 */
export const matchEntries = async (
  db: ReadDb,
  viewer: Viewer,
  entries: readonly HistoryMatchKey[],
): Promise<readonly Match[]> => {
  const hashes = grouped(
    await selectByHash(db, viewer, [...new Set(entries.flatMap(({ fileHash }) => fileHash ?? []))]),
  )
  const ends = new Map(
    entries.flatMap(({ path }) => (path === null ? [] : endsOf(path))).map((end) => [keyOf(end), end]),
  )
  const atPaths = await selectByPath(db, viewer, [...ends.values()])
  const paths = grouped(atPaths.map((each) => ({ key: keyOf(each), bookId: each.bookId })))
  const titles = await titlesOf(db, viewer, entries)
  return entries.map((entry) => {
    const candidates = [
      { by: 'hash' as const, books: (entry.fileHash !== null && hashes.get(entry.fileHash)) || none },
      { by: 'path' as const, books: entry.path === null ? none : atLongestEnd(entry.path, paths) },
      { by: 'title' as const, books: titles.get(titleOf(entry)) ?? none },
    ]
    for (const { by, books } of candidates) {
      const [bookId] = books
      if (bookId !== undefined && books.size === 1) return { bookId, by }
    }
    return { reason: candidates.some(({ books }) => books.size > 1) ? 'several_books' : 'no_book' }
  })
}

const none: ReadonlySet<string> = new Set()

const grouped = (
  rows: readonly { readonly key: string; readonly bookId: string }[],
): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map([...Map.groupBy(rows, ({ key }) => key)].map(([key, own]) => [key, new Set(own.map(({ bookId }) => bookId))]))

const keyOf = ({ folder, name }: BookPath): string => folder + name

/** The longest first. A mere file name says too little, unless it was all there is. */
const endsOf = (path: string): BookPath[] => {
  const steps = path
    .replaceAll('\\', '/')
    .split('/')
    .filter((step) => step !== '' && step !== '.')
  const name = steps.pop()
  if (name === undefined) return []
  if (steps.length === 0) return [{ folder: '', name }]
  const ends: BookPath[] = []
  for (let count = Math.min(steps.length, foldersMax); count > 0; count -= 1)
    ends.push({ folder: `${steps.slice(-count).join('/')}/`, name })
  return ends
}

const atLongestEnd = (path: string, paths: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> => {
  for (const end of endsOf(path)) {
    const books = paths.get(keyOf(end))
    if (books) return books
  }
  return none
}

const titleOf = ({ series, title }: HistoryMatchKey): string =>
  title === null ? '' : series === null ? `= ${sortKey(title)}` : `${seriesNameKey(series)} / ${titleKey(title)}`

const titlesOf = async (
  db: ReadDb,
  viewer: Viewer,
  entries: readonly HistoryMatchKey[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> => {
  const ofSeries = entries.flatMap(({ series, title }) =>
    series === null || title === null ? [] : seriesNameKey(series),
  )
  const alone = entries.flatMap(({ series, title }) => (series === null && title !== null ? sortKey(title) : []))
  const inSeries = await selectBySeries(db, viewer, [...new Set(ofSeries)], booksMax)
  const byTitle = await selectByTitle(db, viewer, [...new Set(alone)], booksMax)
  return grouped([
    ...inSeries.map(({ key, title, bookId }) => ({ key: `${key} / ${titleKey(title)}`, bookId })),
    ...byTitle.map(({ key, bookId }) => ({ key: `= ${key}`, bookId })),
  ])
}
