import type { ServerStatus } from '@carrel/api'
import type { ReadDb } from '../../database/database.ts'

/** It returns the workers seen last, with their present tasks. */
export const selectWorkers = (db: ReadDb, limit: number): Promise<ServerStatus['workers']> =>
  db
    .selectFrom('worker')
    .select(({ selectFrom, fn }) => [
      'host',
      'started_at as startedAt',
      'heartbeat_at as lastSeenAt',
      selectFrom('task')
        .select(fn.countAll<number>().as('count'))
        .whereRef('task.worker_id', '=', 'worker.id')
        .$asScalar()
        .$notNull()
        .as('tasks'),
    ])
    .orderBy('heartbeat_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
