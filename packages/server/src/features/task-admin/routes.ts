import * as api from '@carrel/api'
import type { FastifyInstance } from 'fastify'
import type { Context } from '../../context.ts'
import { serve, serveList } from '../../http/serve.ts'
import type { TaskDefinition } from '../../tasks/define-task.ts'
import { cancel, listTasks, readHistory, readMetrics, readStats, readTask, retry, startNow } from './task-admin.ts'

export const taskRoutes = (
  app: FastifyInstance,
  { db, clock, settings }: Context,
  definitions: readonly TaskDefinition[],
): void => {
  serveList(app, api.listTasks, ({ query, paging }) => listTasks(db.readSlowly, query, paging))
  serve(app, api.startTask, ({ body }) => startNow(db, definitions, body.taskType, clock()))
  serve(app, api.readTaskStats, () => readStats(db.readSlowly, clock()))
  serve(app, api.readTask, ({ params }) => readTask(db.read, params.id))
  serve(app, api.cancelTask, ({ params }) => cancel(db, params.id, clock()))
  serve(app, api.retryTask, ({ params }) => retry(db, params.id, clock()))
  serve(app, api.readTaskMetrics, () =>
    readMetrics(db.readSlowly, settings.get('metrics.task_retention_days'), clock()),
  )
  serve(app, api.readTaskMetricsHistory, ({ query }) => readHistory(db.readSlowly, query, clock()))
}
