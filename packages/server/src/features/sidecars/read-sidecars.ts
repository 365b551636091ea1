import type { Database } from '../../database/database.ts'
import type { Entity } from '../../catalogue/metadata/metadata.ts'
import type { CoverStore } from '../covers/covers.ts'
import { type AboutBook, aboutBooksIn } from './find-sidecars.ts'
import { type HandWork, noteBooks, noteSeries, putAgain } from './put-again.ts'
import { readToSay, sayAgain, type ToSay } from './say-again.ts'

export interface ReadSidecars {
  /** Books and series of which something is said now that nobody had said here. */
  readonly applied: number
  /** Books that are now where people had put them. */
  readonly put: number
  /** Here something is said already, or there is nothing to say. */
  readonly left: number
  /** Nothing here is what they are about. */
  readonly unknown: number
  /** Files with the ending of ours that are none, or are damaged. */
  readonly unreadable: number
}

interface ReadOptions {
  readonly folder: string
  /** Absent: whichever library they are of. */
  readonly libraryId?: string
  readonly pictures: CoverStore
  readonly now: Date
  readonly signal?: AbortSignal
  readonly onDone?: (done: number) => void
}

type Reach = Pick<Database, 'readSlowly' | 'write'>

/**
 * What sidecars say is said here too, of books and series of which nobody has said anything yet, and books go where people had
 * put them: nothing that was said here is written over, and a second run changes nothing. Books are known by where they lie,
 * or by their content.
 */
export const readSidecars = async (db: Reach, options: ReadOptions): Promise<ReadSidecars> => {
  const { folder, libraryId, pictures, now, signal, onDone } = options
  const count = { applied: 0, put: 0, left: 0, unknown: 0, unreadable: 0 }
  const hand: HandWork = { books: new Map(), named: new Set(), series: new Map() }
  // Books first: how a series is called may follow from what is said of its books.
  for (const kind of ['book', 'series'] as const)
    for await (const books of aboutBooksIn(db.readSlowly, { folder, libraryId, kind }, () => {
      if (kind === 'book') count.unreadable += 1
    })) {
      signal?.throwIfAborted()
      if (kind === 'book') noteBooks(hand, books, now)
      else noteSeries(hand, books)
      const applied = await sayAll(db, kind, books, { pictures, now })
      const unknown = books.filter(({ book, sidecar }) => !book && !hand.named.has(sidecar.series?.id ?? '')).length
      count.applied += applied
      count.unknown += unknown
      count.left += books.length - unknown - applied
      onDone?.(count.applied + count.left + count.unknown + count.unreadable)
    }
  // Series that only hold what was put into them are known from here on; the others are called and rated as they were.
  const again = await putAgain(db, hand, { store: pictures, now, signal })
  count.put = again.put
  count.applied += again.applied
  count.left += again.left - again.applied
  count.unknown += again.unknown
  return count
}

const sayAll = async (
  db: Reach,
  kind: Entity,
  aboutBooks: readonly AboutBook[],
  { pictures, now }: Pick<ReadOptions, 'pictures' | 'now'>,
): Promise<number> => {
  const toSay = new Map<string, ToSay>()
  for (const { sidecar, book } of aboutBooks) {
    const id = book && (kind === 'book' ? book.id : book.series_id)
    // There may be two of them, an older one and one of a server that knew nothing yet.
    if (id === undefined || toSay.has(id)) continue
    const each = await readToSay(sidecar, pictures, now)
    if (each) toSay.set(id, each)
  }
  return toSay.size === 0 ? 0 : db.write((db) => sayAgain(db, kind, toSay, now))
}
