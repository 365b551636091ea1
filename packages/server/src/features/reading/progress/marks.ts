import type { MarkReadReply } from '@carrel/api'
import type { Database, WriteDb } from '../../../database/database.ts'
import { notFound } from '../../../platform/errors.ts'
import { newId } from '../../../platform/ids.ts'
import { record } from '../log/record.ts'
import { beginning, ending, type Reader } from './progress.ts'
import { seesSeries, selectBooksToMark } from '../queries.ts'

/** Books in one transaction: others wait for it. */
const booksAtOnce = 200

/** Books that are marked already stay as they are: a second run, also after an interruption, does what is left. */
export const markSeries = async (
  db: Database,
  reader: Reader,
  seriesId: string,
  as: 'read' | 'unread',
): Promise<MarkReadReply> => {
  let count = 0
  let afterId = ''
  for (;;) {
    const from = afterId
    const marked = await db.write((db) => markSome(db, reader, { seriesId, as, afterId: from }))
    count += marked.length
    afterId = marked.at(-1) ?? ''
    if (marked.length < booksAtOnce) break
  }
  if (count === 0 && !(await seesSeries(db.read, reader.viewer, seriesId))) throw notFound('series')
  return { count, message: `${count === 1 ? '1 book is' : `${count} books are`} marked as ${as}.` }
}

const markSome = async (
  db: WriteDb,
  reader: Reader,
  part: { readonly seriesId: string; readonly as: 'read' | 'unread'; readonly afterId: string },
): Promise<string[]> => {
  const { viewer, now } = reader
  const books = await selectBooksToMark(db, viewer, { ...part, limit: booksAtOnce })
  if (books.length === 0) return []
  const saying = part.as === 'read' ? ending : beginning
  const entries = books.map((book) => ({ ...saying(reader, book), id: newId(now.getTime()) }))
  await record(db, viewer.userId, entries, { now, marksSeries: true })
  return books.map(({ id }) => id)
}
