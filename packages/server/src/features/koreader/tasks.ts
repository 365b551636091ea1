import { Type } from 'typebox'
import type { PageTime } from '../../decoders/koreader-statistics.ts'
import type { Decoders } from '../../decoders/pool.ts'
import { BookFault } from '../../formats/book-format.ts'
import { defineTask, type TaskContext } from '../../tasks/define-task.ts'
import { lockUser } from '../../database/lock-user.ts'
import { readViewer } from '../viewers/viewers.ts'
import { linkDocument } from './documents.ts'
import { takeInPageTimes } from './page-times.ts'
import {
  countPageTimes,
  insertPageTimes,
  saveIntake,
  selectFile,
  selectIntake,
  selectWaiting,
  selectWaitingDocuments,
} from './queries.ts'

const hour = 60 * 60 * 1000
const atOnce = 100
const rowsAtOnce = 500
/** The first limit holds for one file, of which the newest rows count; the second for one user. */
const rowsMax = 200_000
const keptMax = 500_000

/** Positions of unknown documents are moved to books that have the same digests by now. */
export const linkKoreader = defineTask(Type.Object({}), {
  type: 'link_koreader',
  priority: 120,
  endsWithinMs: hour,
  key: () => '',
  runsAgain: true,
  run: async (_, { db, write, clock, signal }) => {
    let linked = 0
    let after = { userId: '', document: '' }
    for (;;) {
      const waiting = await selectWaiting(db.readSlowly, after, atOnce)
      for (const each of waiting) {
        signal.throwIfAborted()
        after = each
        const whose = {
          viewer: await readViewer(db.read, each.userId, false),
          document: each.document,
          now: clock(),
        }
        const book = await linkDocument({ db, write, spineOf: async () => [] }, whose)
        await takeInPageTimes({ db, write }, whose)
        linked += book ? 1 : 0
      }
      if (waiting.length < atOnce) return { result: { linked }, items: linked }
    }
  },
})

/** Statistics that have come: read by a decoder, and taken in a few sessions at a time. */
export const takeInKoreader = defineTask(Type.Object({ userId: Type.String(), path: Type.String() }), {
  type: 'take_in_koreader',
  priority: 120,
  endsWithinMs: hour,
  key: ({ userId, path }) => `${userId} ${path}`,
  runsAgain: true,
  run: async ({ userId, path }, context, { decoders }: { readonly decoders: Decoders }) => {
    const { db, write, clock, signal } = context
    const file = await selectFile(db.readSlowly, userId, path)
    const stored = await selectIntake(db.read, userId)
    if (!file || stored?.etag === file.etag) return { result: { skipped: 'There is nothing new in it.' } }
    const rows: PageTime[] = []
    const fault = await faultOf(
      decoders.run(
        'koreaderStatistics',
        { bytes: file.bytes, rowsMax },
        { signal, onPart: (part) => void rows.push(...part) },
      ),
    )
    if (fault === null) await keep(context, userId, rows)
    const viewer = await readViewer(db.read, userId, false)
    for (const document of fault === null ? await selectWaitingDocuments(db.readSlowly, userId) : []) {
      signal.throwIfAborted()
      await takeInPageTimes({ db, write }, { viewer, document, now: clock() })
    }
    const intake = { user_id: userId, etag: file.etag, at: clock().toISOString(), fault, page_times: rows.length }
    await write((db) => saveIntake(db, intake))
    return { result: { pages: rows.length, ...(fault !== null && { fault }) }, items: rows.length }
  },
})

const faultOf = async (work: Promise<unknown>): Promise<string | null> => {
  try {
    await work
    return null
  } catch (error) {
    if (error instanceof BookFault && error.code !== 'unreadable') return error.message
    throw error
  }
}

const keep = async ({ db, write, signal }: TaskContext, userId: string, rows: readonly PageTime[]): Promise<void> => {
  const { all } = await countPageTimes(db.readSlowly, userId)
  const inOrder = rows.slice(0, Math.max(0, keptMax - all))
  for (let from = 0; from < inOrder.length; from += rowsAtOnce) {
    signal.throwIfAborted()
    const part = inOrder.slice(from, from + rowsAtOnce).map(({ document, startTime, page, duration, totalPages }) => ({
      user_id: userId,
      document,
      start_time: startTime,
      page,
      duration,
      total_pages: totalPages,
      is_taken: 0 as const,
    }))
    await write(async (db) => {
      await lockUser(db, userId)
      await insertPageTimes(db, part)
    })
  }
}
