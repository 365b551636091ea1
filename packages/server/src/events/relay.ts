import type { Database, WriteDb } from '../database/database.ts'
import { wakeAfterCommit } from '../database/transaction.ts'
import type { Log } from '../platform/log.ts'
import { type Repeating, repeat } from '../platform/repeat.ts'
import { anyEventWithoutNumber, lockSequence, numberEvents, raiseSequence } from './queries.ts'

const batchMax = 1000
/**
 * The interval matters only for what a process left behind that died between its commit and its relay: normally the
 * relay runs right after the commit.
 */
const pollMs = 5000

/**
 * It gives events their numbers once they are committed, where they do not get them at once. Any process may do it; the
 * row that holds the last number lets in one at a time. So whoever reads up to a number has read all there will ever be
 * up to it, however long the transactions were that the events came from.
 */
export const relayEvents = (db: Database, log: Log): Repeating | undefined => {
  if (db.dialect.numbersAtOnce) return undefined
  const relay = repeat({
    work: async () => {
      while (await anyEventWithoutNumber(db.read)) await db.write(numberBatch)
    },
    everyMs: pollMs,
    log,
    trouble: 'New events could not be numbered; trying again',
  })
  const stopListening = db.wakeUps.on('unnumbered', relay.wake)
  return {
    wake: relay.wake,
    stop: () => {
      stopListening()
      return relay.stop()
    },
  }
}

const numberBatch = async (db: WriteDb): Promise<void> => {
  const last = await lockSequence(db)
  const count = await numberEvents(db, last, batchMax)
  if (count === 0) return
  await raiseSequence(db, count)
  wakeAfterCommit(db, 'events')
}
