import { type Static, Type } from 'typebox'
import { endpoint, listEndpoint } from './endpoint.ts'
import { TaskProgress, taskStatuses } from './events.ts'
import { errorCodes, type ProblemReason, problemReasons } from './errors.ts'
import { byId, Count, Id, Nullable, OneOf, record, Timestamp } from './schema.ts'

const tag = 'Tasks'
const reading = { tag, access: 'tasks:read' } as const
const TaskType = Type.String({ minLength: 1, maxLength: 100 })

/** What ends a task besides the errors that a request may end with. */
export const taskFailures = ['too_slow', 'worker_died', 'fault'] as const

export const TaskFailure = record(
  {
    code: OneOf([...errorCodes, ...taskFailures], { description: 'A code of errors, or `fault`: a fault of ours.' }),
    reason: Type.Optional(OneOf(Object.keys(problemReasons) as ProblemReason[])),
    values: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number()]))),
  },
  { title: 'TaskFailure', description: 'Why it failed, for programs that say it in words of their own.' },
)
export type TaskFailure = Static<typeof TaskFailure>

const LastError = Nullable(Type.String({ description: 'The same as a sentence in English, for logs and reports.' }))
/** It is null too where a version of before has written down nothing but the sentence. */
const LastFailure = Nullable(TaskFailure)

export const TaskDto = record(
  {
    id: Id,
    taskType: Type.String(),
    status: OneOf(taskStatuses),
    priority: Type.Integer({ description: 'Higher goes first.' }),
    attempts: Count,
    maxAttempts: Count,
    progress: Nullable(TaskProgress),
    libraryId: Nullable(Id),
    seriesId: Nullable(Id),
    bookId: Nullable(Id),
    lastError: LastError,
    lastFailure: LastFailure,
    result: Type.Unsafe<unknown>({ description: 'What it came to; depends on the type.' }),
    createdAt: Timestamp,
    scheduledFor: Timestamp,
    startedAt: Nullable(Timestamp),
    completedAt: Nullable(Timestamp),
  },
  { title: 'Task' },
)
export type TaskDto = Static<typeof TaskDto>

const exampleTask: TaskDto = {
  id: '019aa3b2-6c7e-7000-8000-000000000008',
  taskType: 'cleanup_sessions',
  status: 'completed',
  priority: 100,
  attempts: 1,
  maxAttempts: 3,
  progress: null,
  libraryId: null,
  seriesId: null,
  bookId: null,
  lastError: null,
  lastFailure: null,
  result: { sessions: 12, refreshTokens: 40 },
  createdAt: '2026-11-21T02:30:00.000Z',
  scheduledFor: '2026-11-21T02:30:00.000Z',
  startedAt: '2026-11-21T02:30:00.012Z',
  completedAt: '2026-11-21T02:30:00.048Z',
}

export const listTasks = listEndpoint('GET /api/v1/tasks', {
  summary: 'Tasks, the newest first',
  description: 'Finished ones are kept as long as the setting metrics.task_retention_days says.',
  ...reading,
  query: Type.Object({
    status: Type.Optional(OneOf(taskStatuses)),
    taskType: Type.Optional(TaskType),
    libraryId: Type.Optional(Id),
  }),
  item: TaskDto,
  title: 'TaskPage',
})

export const readTask = endpoint('GET /api/v1/tasks/{id}', {
  summary: 'One task',
  ...reading,
  params: byId,
  reply: TaskDto,
  errors: ['not_found'],
  example: { reply: exampleTask },
})

export const startTask = endpoint('POST /api/v1/tasks', {
  summary: 'Start a task of the house now',
  description: 'One that also runs by schedule. If it runs already, that one is answered.',
  tag,
  access: 'tasks:write',
  body: record({ taskType: TaskType }, { title: 'TaskStart' }),
  status: 202,
  reply: record({ taskId: Id, alreadyRunning: Type.Boolean() }, { title: 'StartedTask' }),
  example: {
    body: { taskType: 'cleanup_sessions' },
    reply: { taskId: exampleTask.id, alreadyRunning: false },
  },
})

export const cancelTask = endpoint('POST /api/v1/tasks/{id}/cancel', {
  summary: 'Cancel a task that waits or runs',
  tag,
  access: 'tasks:write',
  params: byId,
  reply: TaskDto,
  errors: ['not_found', 'conflict'],
  example: { reply: { ...exampleTask, status: 'cancelled', result: null } },
})

export const retryTask = endpoint('POST /api/v1/tasks/{id}/retry', {
  summary: 'Run a task again that failed or was cancelled',
  tag,
  access: 'tasks:write',
  params: byId,
  reply: TaskDto,
  errors: ['not_found', 'conflict'],
  example: { reply: { ...exampleTask, status: 'pending', result: null, startedAt: null, completedAt: null } },
})

const counts = {
  pending: Count,
  processing: Count,
  completed: Count,
  failed: Count,
  stale: Type.Integer({ minimum: 0, description: 'Processing, by a worker that gives no sign of life.' }),
  total: Count,
}
export const TaskStats = record(
  { ...counts, byType: Type.Record(Type.String(), record(counts, { title: 'TaskTypeStats' })) },
  { title: 'TaskStats' },
)
export type TaskStats = Static<typeof TaskStats>

const exampleCounts = { pending: 0, processing: 1, completed: 40, failed: 2, stale: 0, total: 43 }

export const readTaskStats = endpoint('GET /api/v1/tasks/stats', {
  summary: 'How many tasks there are',
  ...reading,
  reply: TaskStats,
  example: { reply: { ...exampleCounts, byType: { cleanup_sessions: exampleCounts } } },
})

const Milliseconds = Type.Integer({ minimum: 0 })
const Average = Type.Number({ minimum: 0 })

export const TaskTypeMetrics = record(
  {
    taskType: Type.String(),
    executed: Count,
    succeeded: Count,
    failed: Count,
    retried: Count,
    itemsProcessed: Count,
    bytesProcessed: Count,
    avgDurationMs: Average,
    avgQueueWaitMs: Average,
    errorRatePct: Average,
    throughputPerSec: Average,
    minDurationMs: Milliseconds,
    maxDurationMs: Milliseconds,
    p50DurationMs: Milliseconds,
    p95DurationMs: Milliseconds,
    lastError: LastError,
    lastFailure: LastFailure,
    lastErrorAt: Nullable(Timestamp),
  },
  { title: 'TaskTypeMetrics' },
)
export type TaskTypeMetrics = Static<typeof TaskTypeMetrics>

export const TaskMetrics = record(
  {
    byType: Type.Array(TaskTypeMetrics),
    queue: record(
      {
        pendingCount: Count,
        processingCount: Count,
        staleCount: Count,
        oldestPendingAgeMs: Nullable(Milliseconds),
      },
      { title: 'QueueHealth' },
    ),
    retention: Type.String({ description: 'Days the figures are kept.' }),
    summary: record(
      {
        avgDurationMs: Average,
        avgQueueWaitMs: Average,
        tasksPerMinute: Type.Number({ minimum: 0, description: 'Over the last five minutes.' }),
        totalExecuted: Type.Integer({ minimum: 0, description: 'Since the last restart.' }),
        totalSucceeded: Count,
        totalFailed: Count,
      },
      { title: 'TaskMetricsSummary' },
    ),
    updatedAt: Timestamp,
  },
  { title: 'TaskMetricsResponse' },
)
export type TaskMetrics = Static<typeof TaskMetrics>

export const readTaskMetrics = endpoint('GET /api/v1/metrics/tasks', {
  summary: 'How the background tasks do',
  ...reading,
  reply: TaskMetrics,
  example: {
    reply: {
      byType: [
        {
          taskType: 'cleanup_sessions',
          executed: 30,
          succeeded: 29,
          failed: 1,
          retried: 1,
          itemsProcessed: 480,
          bytesProcessed: 0,
          avgDurationMs: 36.5,
          avgQueueWaitMs: 12.1,
          errorRatePct: 3.33,
          throughputPerSec: 0.4,
          minDurationMs: 12,
          maxDurationMs: 90,
          p50DurationMs: 32,
          p95DurationMs: 86,
          lastError: 'The database does not answer for now. Try again in a moment.',
          lastFailure: { code: 'unavailable' },
          lastErrorAt: '2026-11-19T02:30:03.000Z',
        },
      ],
      queue: { pendingCount: 0, processingCount: 0, staleCount: 0, oldestPendingAgeMs: null },
      retention: '30',
      summary: {
        avgDurationMs: 36.5,
        avgQueueWaitMs: 12.1,
        tasksPerMinute: 0.2,
        totalExecuted: 3,
        totalSucceeded: 3,
        totalFailed: 0,
      },
      updatedAt: '2026-11-21T10:00:00.000Z',
    },
  },
})

export const granularities = ['hour', 'day'] as const

export const TaskMetricsHistory = record(
  {
    points: Type.Array(
      record(
        {
          periodStart: Timestamp,
          taskType: Nullable(Type.String()),
          count: Count,
          succeeded: Count,
          failed: Count,
          itemsProcessed: Count,
          bytesProcessed: Count,
          avgDurationMs: Average,
          minDurationMs: Milliseconds,
          maxDurationMs: Milliseconds,
        },
        { title: 'TaskMetricsPoint' },
      ),
    ),
    from: Timestamp,
    to: Timestamp,
    granularity: OneOf(granularities),
  },
  { title: 'TaskMetricsHistoryResponse' },
)
export type TaskMetricsHistory = Static<typeof TaskMetricsHistory>

export const readTaskMetricsHistory = endpoint('GET /api/v1/metrics/tasks/history', {
  summary: 'How the background tasks did, hour by hour or day by day',
  description: 'In UTC, ascending; a period in which nothing ended is left out.',
  ...reading,
  query: Type.Object({
    days: Type.Optional(Type.Integer({ minimum: 1, maximum: 3650, default: 7 })),
    taskType: Type.Optional(TaskType),
    granularity: Type.Optional(OneOf(granularities, { default: 'hour' })),
  }),
  reply: TaskMetricsHistory,
  example: {
    reply: {
      points: [
        {
          periodStart: '2026-11-21T02:00:00.000Z',
          taskType: null,
          count: 3,
          succeeded: 3,
          failed: 0,
          itemsProcessed: 40,
          bytesProcessed: 0,
          avgDurationMs: 31.2,
          minDurationMs: 12,
          maxDurationMs: 60,
        },
      ],
      from: '2026-11-14T10:00:00.000Z',
      to: '2026-11-21T10:00:00.000Z',
      granularity: 'hour',
    },
  },
})
