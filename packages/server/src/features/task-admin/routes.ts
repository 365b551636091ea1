import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve, serveList } from '../../http/serve.ts'
import type { TaskDefinition } from '../../tasks/define-task.ts'
import { cancel, listTasks, readHistory, readMetrics, readStats, readTask, retry, startNow } from './task-admin.ts'

export const taskRoutes = (
  app: FastifyInstance,
  { db, clock, settings, viewerOf }: Context,
  readDefinitions: () => Promise<readonly TaskDefinition[]>,
): void => {
  serveList(app, api.listTasks, async ({ caller, query, paging }) =>
    listTasks(db.readSlowly, await viewerOf(caller), query, paging),
  )
  serve(app, api.startTask, async ({ body }) => startNow(db, await readDefinitions(), body.taskType, clock()))
  serve(app, api.readTaskStats, async ({ caller }) => readStats(db.readSlowly, await viewerOf(caller), clock()))
  serve(app, api.readTask, async ({ caller, params: { id } }) => readTask(db.read, await viewerOf(caller), id))
  serve(app, api.cancelTask, async ({ caller, params: { id } }) => cancel(db, await viewerOf(caller), id, clock()))
  serve(app, api.retryTask, async ({ caller, params: { id } }) => retry(db, await viewerOf(caller), id, clock()))
  serve(app, api.readTaskMetrics, async ({ caller }) =>
    readMetrics(db.readSlowly, await viewerOf(caller), settings.get('metrics.task_retention_days'), clock()),
  )
  serve(app, api.readTaskMetricsHistory, async ({ caller, query }) =>
    readHistory(db.readSlowly, await viewerOf(caller), query, clock()),
  )
}
