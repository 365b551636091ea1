import {
  granularities,
  listLibraries,
  listTasks,
  readTaskMetrics,
  readTaskMetricsHistory,
  readTaskStats,
  type TaskDto,
} from '@carrel/api'
import { createRoute } from '@tanstack/react-router'
import { ensure } from '../../api/queries.ts'
import { administered, page } from '../../frame/layouts.tsx'
import { wholeNumber, word, wordOf } from '../../navigation/search-params.ts'
import { historyQuery, taskQuery } from './task-query.ts'

interface TasksSearch {
  readonly status?: TaskDto['status'] | undefined
  readonly type?: string | undefined
  readonly page?: number | undefined
}

const statuses = ['pending', 'processing', 'completed', 'failed', 'cancelled'] as const

export const adminTasks = createRoute({
  getParentRoute: () => administered,
  path: '/admin/tasks',
  validateSearch: ({ status, type, page: number }: Record<string, unknown>): TasksSearch => ({
    status: wordOf(statuses, status),
    type: word(type)?.slice(0, 100),
    page: wholeNumber(number, 1, 1_000_000),
  }),
  loaderDeps: ({ search }) => search,
  loader: async ({ deps }) => {
    // The names of libraries stand in the rows; who may not see them sees the rows all the same.
    const names = ensure(listLibraries, { query: { pageSize: 500 } }).catch(() => undefined)
    await Promise.all([ensure(listTasks, { query: taskQuery(deps) }), ensure(readTaskStats, {}), names])
  },
  component: page(() => import('./tasks-page.tsx'), 'TasksPage', ['tasks']),
})

interface FiguresSearch {
  readonly by?: (typeof granularities)[number] | undefined
  readonly type?: string | undefined
}

export const adminTaskFigures = createRoute({
  getParentRoute: () => administered,
  path: '/admin/tasks/figures',
  validateSearch: ({ by, type }: Record<string, unknown>): FiguresSearch => ({
    by: wordOf(granularities, by),
    type: word(type)?.slice(0, 100),
  }),
  loaderDeps: ({ search }) => search,
  loader: async ({ deps }) => {
    await Promise.all([ensure(readTaskMetrics, {}), ensure(readTaskMetricsHistory, { query: historyQuery(deps) })])
  },
  component: page(() => import('./figures-page.tsx'), 'TaskFiguresPage', ['tasks']),
})
