import type { Database, WriteDb } from '../../../database/database.ts'
import { lockUser } from '../../../database/lock-user.ts'
import type { NamedWrite } from '../../../database/named-write.ts'
import { forReader } from '../../../database/whom-it-concerns.ts'
import { cannotBeSaved } from '../../../platform/errors.ts'
import type { Log } from '../../../platform/log.ts'
import { type Repeating, repeat } from '../../../platform/repeat.ts'
import { announceProgress } from '../news.ts'
import { countAgain } from './count.ts'
import { isAnyUncounted, selectUncounted, selectUncountedReaders, updateCounted } from './queries.ts'

/** Others wait for the transaction in which they are counted. */
const booksAtOnce = 100
const readersAtOnce = 100
/** Pages that are turned meanwhile are counted together. */
const pauseMs = 400
/** It takes no more than such a part of the time: a session that is put together again from a thousand entries takes long. */
const shareMax = 0.1
const pauseMaxMs = 10_000
/** It matters only for what another process has left behind that has ended and does not start again. */
const everyMs = 10 * 60 * 1000

/**
 * It counts what is uncounted in some books of a user, in the transaction, and tells those who listen. It returns whether
 * there may be more.
 */
export const countSome = (db: WriteDb, userId: string, now: Date): Promise<boolean> =>
  forReader(userId, () => countSomeOf(db, userId, now))

const countSomeOf = async (db: WriteDb, userId: string, now: Date): Promise<boolean> => {
  await lockUser(db, userId)
  const books = await selectUncounted(db, userId, booksAtOnce)
  const last = books.at(-1)
  if (!last) return false
  const stretches = books.map(({ stretch }) => stretch)
  await countAgain(db, userId, stretches, { now })
  await updateCounted(db, userId, last.stretch.bookId)
  const news = books.flatMap((book) => book.news ?? [])
  await announceProgress(db, userId, news, now)
  return books.length === booksAtOnce
}

export const countedReading: NamedWrite<{ readonly userId: string; readonly now: Date }, boolean> = {
  name: 'counted reading',
  work: (db, { userId, now }) => countSome(db, userId, now),
}

/** Call it before figures of a user are read: nobody is shown less than they have been told is saved. */
export const countUpToNow = async (db: Database, userId: string, now: Date): Promise<void> => {
  if (!(await isAnyUncounted(db.read, userId))) return
  try {
    while (await db.writeNamed(countedReading, { userId, now }));
  } catch (error) {
    // What cannot be written at present can still be read, as it was a moment before.
    if (!cannotBeSaved(error)) throw error
  }
}

interface Counting {
  readonly db: Database
  readonly log: Log
  readonly clock: () => Date
}

/** It counts what was read a moment ago; at its start, what a process has left behind that was killed. */
export const countInPauses = ({ db, log, clock }: Counting): Pick<Repeating, 'stop'> => {
  let pause: NodeJS.Timeout | undefined
  let nextPauseMs = pauseMs
  const counting = repeat({
    work: async () => {
      const startedAt = performance.now()
      await countAll(db, clock)
      const tookMs = performance.now() - startedAt
      nextPauseMs = Math.min(pauseMaxMs, Math.max(pauseMs, tookMs / shareMax))
    },
    everyMs,
    log,
    trouble: 'Reading could not be counted yet',
  })
  const stopListening = db.wakeUps.on('uncounted', () => {
    pause ??= setTimeout(() => {
      pause = undefined
      counting.wake()
    }, nextPauseMs)
  })
  return {
    stop: () => {
      stopListening()
      clearTimeout(pause)
      return counting.stop()
    },
  }
}

const countAll = async (db: Database, clock: () => Date): Promise<void> => {
  for (;;) {
    const readers = await selectUncountedReaders(db.read, readersAtOnce)
    for (const userId of readers) while (await db.writeNamed(countedReading, { userId, now: clock() }));
    if (readers.length < readersAtOnce) return
  }
}
