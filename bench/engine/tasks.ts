import { Type } from 'typebox'
import type { Fact } from '../../packages/api/src/index.ts'
import { type Announcement, announce } from '../../packages/server/src/events/outbox.ts'
import { newId } from '../../packages/server/src/platform/ids.ts'
import { defineTask } from '../../packages/server/src/tasks/define-task.ts'
import { monotonicMs } from './monotonic.ts'

const usual = { priority: 100, endsWithinMs: 600_000 }
const batchPauseMs = 5

/** The tasks of the bench: what the queue itself costs is what is left when they do nothing. */
export const benchTasks = {
  quiet: defineTask(Type.Object({}), { ...usual, type: 'bench_quiet', quiet: true, run: async () => undefined }),
  telling: defineTask(Type.Object({}), { ...usual, type: 'bench_telling', run: async () => undefined }),
  stamped: defineTask(Type.Object({}), {
    ...usual,
    type: 'bench_stamped',
    run: async () => ({ result: monotonicMs() }),
  }),
  writing: defineTask(Type.Object({ batches: Type.Number(), rows: Type.Number() }), {
    ...usual,
    type: 'bench_writing',
    run: async ({ batches, rows }, { write, progress, signal, clock }) => {
      for (let batch = 0; batch < batches && !signal.aborted; batch += 1) {
        await write((db) => announce(db, Array.from({ length: rows }, toNobody), clock()))
        progress({ current: batch + 1, total: batches, message: null })
        await new Promise((resolve) => setTimeout(resolve, batchPauseMs))
      }
      return { items: batches * rows }
    },
  }),
}

export type BenchTask = keyof typeof benchTasks

/** Of every ten facts all users see five, those without an age limit eight, administrators all. */
export const mixedFact = (index: number): Announcement => {
  const place = index % 10
  if (place >= 8) return { fact: taskFact(), to: { permission: 'tasks:read' } }
  const [bookId, seriesId, libraryId] = [newId(), newId(), newId()]
  return {
    fact: { type: 'book_updated', bookId, seriesId, libraryId },
    to: { libraryId, content: { ageRating: place < 5 ? 6 : 16, sharingTags: [] } },
  }
}

export const visibleOfTen = { admin: 10, reader: 8, child: 5 } as const

const taskFact = (): Fact => ({
  type: 'task_progress',
  taskId: newId(),
  taskType: 'bench',
  status: 'processing',
  progress: { current: 1, total: 2, message: null },
})

const toNobody = (): Announcement => ({ fact: taskFact(), to: { permission: 'tasks:read' } })
