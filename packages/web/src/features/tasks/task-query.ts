import type { granularities, TaskDto } from '@carrel/api'

const tasksOnPage = 50

interface TaskFilter {
  readonly status?: TaskDto['status'] | undefined
  readonly type?: string | undefined
  readonly page?: number | undefined
}

/** It turns the address into the server's query. */
export const taskQuery = ({ status, type, page = 1 }: TaskFilter) => ({
  page,
  pageSize: tasksOnPage,
  ...(status !== undefined && { status }),
  ...(type !== undefined && { taskType: type }),
})

interface HistoryOptions {
  readonly by?: (typeof granularities)[number] | undefined
  readonly type?: string | undefined
}

/** Two days hour by hour, or a month day by day: what can be seen at once. */
export const historyQuery = ({ by = 'day', type }: HistoryOptions) => ({
  granularity: by,
  days: by === 'hour' ? 2 : 30,
  ...(type !== undefined && { taskType: type }),
})
