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
const booksAtOnce = 8
const readersAtOnce = 100
/** Pages that are turned meanwhile are counted together. */
const pauseMs = 400
/** It takes no more than such a part of the time: a session that is put together again from a thousand entries takes long. */
const shareMax = 0.1
const pauseMaxMs = 10_000
/** It matters only for what another process has left behind that has ended and does not start again. */
const everyMs = 10 * 60 * 1000

/**
 * It counts what is uncounted in some books of a user, in the transaction, and tells those who listen: the next after a book, in
 * the order of their ids. It returns the last of them where there may be more. Whoever goes from one to the next comes to an end
 * while others read on.
 */
const countSome = (db: WriteDb, { userId, after, now }: PartToCount): Promise<string | undefined> =>
  forReader(userId, async () => {
    await lockUser(db, userId)
    const books = await selectUncounted(db, userId, { after, limit: booksAtOnce })
    const upTo = books.at(-1)?.stretch.bookId
    if (upTo === undefined) return undefined
    const stretches = books.map(({ stretch }) => stretch)
    await countAgain(db, userId, stretches, { now })
    await updateCounted(db, userId, { after, upTo })
    const news = books.flatMap((book) => book.news ?? [])
    await announceProgress(db, userId, news, { now })
    return books.length === booksAtOnce ? upTo : undefined
  })

interface PartToCount {
  readonly userId: string
  readonly after: string
  readonly now: Date
}

export const countedReading: NamedWrite<PartToCount, string | undefined> = {
  name: 'counted reading',
  work: countSome,
}

const countAllOf = async (
  userId: string,
  now: Date,
  count: (part: PartToCount) => Promise<string | undefined>,
): Promise<void> => {
  let after: string | undefined = ''
  while (after !== undefined) after = await count({ userId, after, now })
}

/** It counts all that is uncounted of a user who is locked, in one transaction. */
export const countWithin = (db: WriteDb, userId: string, now: Date): Promise<void> =>
  countAllOf(userId, now, (part) => countSome(db, part))

/** Call it before figures of a user are read: nobody is shown less than they have been told is saved. */
export const countUpToNow = async (db: Database, userId: string, now: Date): Promise<void> => {
  if (!(await isAnyUncounted(db.read, userId))) return
  try {
    await countAllOf(userId, now, (part) => db.writeNamed(countedReading, part))
  } catch (error) {
    // What cannot be written at present can still be read, as it was a moment before.
    if (!cannotBeSaved(error)) throw error
  }
}

interface LastCount {
  readonly tookMs: number
  readonly endedAt: number
}

/** It says how long pages are gathered: longer where the last count has ended just now and took long. */
export const pauseAfter = ({ tookMs, endedAt }: LastCount, now: number): number =>
  Math.max(pauseMs, Math.min(pauseMaxMs, tookMs / shareMax) - (now - endedAt))

interface Counting {
  readonly db: Database
  readonly log: Log
  readonly clock: () => Date
}

/** It counts what was read a moment ago; at its start, what a process has left behind that was killed. */
export const countInPauses = ({ db, log, clock }: Counting): Pick<Repeating, 'stop'> => {
  let pause: NodeJS.Timeout | undefined
  let last: LastCount = { tookMs: 0, endedAt: 0 }
  const counting = repeat({
    work: async () => {
      const startedAt = performance.now()
      await countAll(db, clock)
      const endedAt = performance.now()
      last = { tookMs: endedAt - startedAt, endedAt }
    },
    everyMs,
    log,
    trouble: 'Reading could not be counted yet',
  })
  const stopListening = db.wakeUps.on('uncounted', () => {
    pause ??= setTimeout(
      () => {
        pause = undefined
        counting.wake()
      },
      pauseAfter(last, performance.now()),
    )
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
  let after = ''
  for (;;) {
    const readers = await selectUncountedReaders(db.read, after, readersAtOnce)
    for (const userId of readers) await countAllOf(userId, clock(), (part) => db.writeNamed(countedReading, part))
    if (readers.length < readersAtOnce) return
    after = readers.at(-1) ?? ''
  }
}
