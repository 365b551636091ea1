import { parentPort, workerData } from 'node:worker_threads'
import { spelledOutIn, textWordsIn } from '../../packages/server/src/catalogue/search-index/documents.ts'
import { planLibrary, type PlannedBook } from '../gen/plan.ts'
import type { FlatRows, LibraryPart, ThreadOrder } from './parts.ts'
import { straightRows, type StraightTable } from './straight-rows.ts'

const booksAtOnce = 2000
/** A library comes by and by: so much later is the next part. */
const apartMs = 60_000
/** Worked out before anybody asks. */
const aheadMax = 3

const { library, profile, from, lane, lanes } = workerData as ThreadOrder
const seen = new Set<string>()
const seenInTexts = new Set<string>()

function* parts(): Generator<LibraryPart | undefined> {
  let waiting: PlannedBook[] = []
  let index = 0
  for (const { books } of planLibrary(profile)) {
    waiting.push(...books)
    if (waiting.length < booksAtOnce) continue
    if (index % lanes === lane) yield partOf(waiting, index)
    waiting = []
    index += 1
  }
  if (waiting.length > 0 && index % lanes === lane) yield partOf(waiting, index)
  yield undefined
}

const partOf = (books: readonly PlannedBook[], index: number): LibraryPart => {
  const now = new Date(from.getTime() + index * apartMs)
  const { rows, mentions } = straightRows(library, books, now)
  const words = spelledOutIn([...rows.series_search, ...rows.book_search]).filter((word) => !seen.has(word))
  for (const word of words) seen.add(word)
  const documents = rows.book_search.map(({ text_words }) => ({ textWords: text_words ?? '' }))
  const textWords = textWordsIn(documents).filter((word) => !seenInTexts.has(word))
  for (const word of textWords) seenInTexts.add(word)
  return {
    rows: Object.entries(rows).flatMap(([table, of]) => flat(table as StraightTable, of)),
    mentions,
    words,
    textWords,
    now,
  }
}

const flat = (table: StraightTable, rows: readonly object[]): FlatRows[] => {
  const [first] = rows
  if (!first) return []
  const columns = Object.keys(first)
  const values = (rows as readonly Record<string, unknown>[]).flatMap((row) => columns.map((column) => row[column]))
  return [{ table, columns, values }]
}

let partsDue = aheadMax
const left = parts()
const work = (): void => {
  while (partsDue > 0) {
    partsDue -= 1
    const { value, done } = left.next()
    if (done) return
    parentPort?.postMessage(value)
  }
}
parentPort?.on('message', () => {
  partsDue += 1
  work()
})
work()
