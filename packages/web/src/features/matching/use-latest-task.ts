import { listTasks, type TaskDto } from '@carrel/api'
import { useLater } from '../../api/queries.ts'
import { useMay } from '../../session/me.ts'

/** The latest of its kind for a library; the event stream keeps it up to date. */
export const useLatestTask = (libraryId: string, taskType: 'auto_match' | 'refresh_matches'): TaskDto | undefined => {
  const mayReadTasks = useMay('tasks:read')
  const { data } = useLater(listTasks, { query: { taskType, libraryId, pageSize: 1 } }, { enabled: mayReadTasks })
  return data?.data[0]
}

export const isGoingOn = (task: TaskDto | undefined): boolean =>
  task?.status === 'pending' || task?.status === 'processing'
