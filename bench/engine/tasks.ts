import { setTimeout as delay } from 'node:timers/promises'
import type { ServerEvent } from '../../packages/api/src/index.ts'
import { type Announcement, announce } from '../../packages/server/src/events/outbox.ts'
import { newId } from '../../packages/server/src/platform/ids.ts'
import { testTask } from '../../packages/server/test/work.ts'
import { monotonicMs } from './monotonic.ts'

const usual = { endsWithinMs: 600_000 }
const rowsWritten = 100
const batchPauseMs = 5

/** The tasks of the bench: what the queue itself costs is what is left when they do nothing. */
export const benchTasks = {
  quiet: testTask(async () => undefined, { ...usual, type: 'bench_quiet', quiet: true }),
  telling: testTask(async () => undefined, { ...usual, type: 'bench_telling' }),
  stamped: testTask(async () => ({ result: monotonicMs() }), { ...usual, type: 'bench_stamped' }),
  writing: testTask(
    async (_, { write, progress, signal, clock }) => {
      for (let batch = 0; !signal.aborted; batch += 1) {
        await write((db) => announce(db, Array.from({ length: rowsWritten }, toAdministrators), clock()))
        progress({ current: batch, total: batch + 1, message: null })
        await delay(batchPauseMs)
      }
      return undefined
    },
    { ...usual, type: 'bench_writing' },
  ),
}

export type BenchTask = keyof typeof benchTasks

/** Out of every ten events all users see five, those without an age limit eight, administrators all. */
export const mixedEvent = (index: number): Announcement => {
  const turn = index % 10
  if (turn >= 8) return { event: taskEvent(), to: { permission: 'tasks:read' } }
  const [bookId, seriesId, libraryId] = [newId(), newId(), newId()]
  return {
    event: { type: 'book_updated', bookId, seriesId, libraryId },
    to: { libraryId, content: { ageRating: turn < 5 ? 6 : 16, sharingTags: [] } },
  }
}

export const visibleOfTen = { admin: 10, reader: 8, child: 5 } as const

const taskEvent = (): ServerEvent => ({
  type: 'task_progress',
  taskId: newId(),
  taskType: 'bench',
  status: 'processing',
  progress: { current: 1, total: 2, message: null },
})

const toAdministrators = (): Announcement => ({ event: taskEvent(), to: { permission: 'tasks:read' } })
