import type { Database, WriteDb } from '../../../database/database.ts'
import { lockUser } from '../../../database/lock-user.ts'
import { completionsOfBooks } from '../log/completions-of-books.ts'
import {
  deleteProjections,
  deleteUnfounded,
  insertCompletions,
  insertStated,
  saveSnapshots,
  saveStandings,
  selectBooksWithEntries,
  selectExisting,
  selectPairsAfter,
  selectReadersAfter,
} from '../log/queries.ts'
import { saveHeads } from '../log/heads/queries.ts'
import type { Completion } from '../log/fold.ts'
import { headAt } from '../log/record.ts'
import { refoldAll } from '../log/refold.ts'
import { recountProgress } from '../queries.ts'
import { countBooksAgain } from '../reading-sessions/count.ts'
import { beginRecount, recount } from '../reading-sessions/recount.ts'

const usersAtOnce = 100
const booksAtOnce = 200
/** One transaction folds this many: others wait for it. One book with more of them is folded alone. */
const entriesAtOnce = 1000

interface RebuildContext {
  readonly db: Pick<Database, 'readSlowly'>
  write<Result>(work: (db: WriteDb) => Promise<Result>): Promise<Result>
  readonly signal?: AbortSignal
  readonly onBooks?: (count: number) => void
}

/**
 * It makes everything that follows from the log again, whatever stood there: for one user or for all, a few books at a
 * time, so that reading and writing go on meanwhile. It returns how many books of users it was.
 */
export const rebuildProjections = async (context: RebuildContext, userId?: string): Promise<number> => {
  if (userId !== undefined) return rebuildUser(context, userId)
  let count = 0
  let afterId = ''
  for (;;) {
    const users = await selectReadersAfter(context.db.readSlowly, afterId, usersAtOnce)
    for (const user of users) count += await rebuildUser(context, user)
    afterId = users.at(-1) ?? ''
    if (users.length < usersAtOnce) return count
  }
}

const rebuildUser = async (context: RebuildContext, userId: string): Promise<number> => {
  const { db, write, signal, onBooks } = context
  let count = 0
  await beginRecount(context, userId)
  let afterBookId = ''
  for (;;) {
    const books = await selectPairsAfter(db.readSlowly, { userId, afterBookId }, booksAtOnce)
    for (const part of inParts(books)) {
      signal?.throwIfAborted()
      await write(async (db) => {
        await lockUser(db, userId)
        await rebuildBooks(db, userId, part)
      })
      count += part.length
      onBooks?.(part.length)
    }
    afterBookId = books.at(-1)?.bookId ?? ''
    if (books.length < booksAtOnce) break
  }
  await write(async (db) => {
    await lockUser(db, userId)
    await deleteUnfounded(db, userId)
    await recountProgress(db, { userId })
  })
  await recount(context, userId)
  return count
}

const inParts = (books: readonly { readonly bookId: string; readonly entries: number }[]): string[][] => {
  const parts: string[][] = []
  let room = 0
  for (const { bookId, entries } of books) {
    if (entries > room) {
      parts.push([])
      room = entriesAtOnce
    }
    parts.at(-1)?.push(bookId)
    room -= entries
  }
  return parts
}

/** It rebuilds, within a transaction that has locked the user, all projections of these books from the log. */
export const rebuildBooks = async (db: WriteDb, userId: string, bookIds: readonly string[]): Promise<void> => {
  await deleteProjections(db, userId, bookIds)
  const existing = await selectExisting(db, bookIds)
  const told = new Set(await selectBooksWithEntries(db, userId, bookIds))
  const folded = []
  // A completion stays, and counts, when the book itself is deleted.
  const gone = new Map<string, readonly Completion[]>()
  for (const bookId of bookIds) {
    const refolded = told.has(bookId) ? await refoldAll(db, { userId, bookId }) : undefined
    if (!existing.has(bookId)) gone.set(bookId, refolded?.completions ?? [])
    else if (refolded) folded.push({ bookId, ...refolded })
  }
  await saveHeads(
    db,
    userId,
    folded.map(({ bookId, position, unsaved, state }) => ({ bookId, head: headAt(position, unsaved, state) })),
  )
  await saveSnapshots(
    db,
    userId,
    folded.flatMap(({ bookId, snapshots }) => snapshots.map((snapshot) => ({ bookId, snapshot }))),
  )
  await insertCompletions(
    db,
    userId,
    folded.flatMap(({ bookId, completions }) => completions.map((completion) => ({ bookId, completion }))),
  )
  await insertStated(db, userId, [...existing])
  await saveStandings(db, userId, folded)
  const ofGone = await completionsOfBooks(db, userId, gone)
  await countBooksAgain(db, userId, bookIds, new Map([...ofGone].map(([bookId, { counted }]) => [bookId, counted])))
}
