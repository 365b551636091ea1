import { randomUUID } from 'node:crypto'
import * as api from '@carrel/api'
import type { Kysely, KyselyPlugin } from 'kysely'
import { expect, test } from 'vitest'
import { bodyOf } from '../../../../test/outcome.ts'
import { addBooksTo, addShelf } from '../../../../test/reading-content.ts'
import { startServer } from '../../../../test/start-server.ts'
import type { Database } from '../../../database/database.ts'
import type { Schema } from '../../../database/schema.ts'
import { countUpToNow } from '../reading.ts'
import { checkReading } from './check.ts'

test('READ-1 what is counted between two reads of the nightly check is no fault', async () => {
  await using server = await startServer()
  const { db, log, clock } = server.context
  const [bookId = ''] = await addBooksTo(db, await addShelf(db), 1)
  const reader = await server.person('reader')
  const sit = async (day: number) => {
    const session = {
      id: randomUUID(),
      bookId,
      kind: 'progress' as const,
      clientStartedAt: `2026-03-0${day}T10:00:00.000Z`,
      clientEndedAt: `2026-03-0${day}T10:30:00.000Z`,
      toPage: day,
    }
    bodyOf(await reader.call(api.recordReadingSessions, { body: { sessions: [session] } }))
  }
  await sit(1)
  await countUpToNow(db, reader.id, clock())

  // They read on after their books were looked at, and that is counted after their sessions were read.
  let writes = 0
  const write: Database['write'] = async (work) => {
    const answer = await db.write(work)
    writes += 1
    if (writes === 1) await sit(2)
    return answer
  }
  const ofSessions = new WeakSet<object>()
  const counting: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      if ('limit' in node && JSON.stringify(node).includes('"reading_session"')) ofSessions.add(queryId)
      return node
    },
    transformResult: async ({ result, queryId }) => {
      if (ofSessions.has(queryId)) await countUpToNow(db, reader.id, clock())
      return result
    },
  }
  const readSlowly = (db.readSlowly as Kysely<Schema>).withPlugin(counting)
  const { signal } = new AbortController()
  const checked = await checkReading({ db: { readSlowly }, write, log, signal, clock })
  expect(checked).toEqual({ users: 1, books: 1, repaired: 0 })
})
