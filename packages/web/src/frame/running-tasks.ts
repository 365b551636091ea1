import { listTasks } from '@carrel/api'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { call } from '../api/call.ts'
import { onHappening } from '../api/happenings.ts'
import { useMay } from '../session/me.ts'

/** The tasks that run: read once, and followed through the events from then on, so that no page asks again and again. */
let running: ReadonlySet<string> = new Set()
let isAsking = false
const endedMeanwhile = new Set<string>()
const listeners = new Set<() => void>()
/** Asking for more would change nothing: the question is only whether something runs. */
const tasksMax = 50

const become = (next: ReadonlySet<string>): void => {
  running = next
  for (const listener of listeners) listener()
}

onHappening(({ type, taskId, status }) => {
  if (type !== 'task_progress' || taskId === undefined) return
  const isRunning = status === 'processing'
  if (isAsking && !isRunning) endedMeanwhile.add(taskId)
  if (isRunning === running.has(taskId)) return
  become(isRunning ? new Set([...running, taskId]) : new Set([...running].filter((id) => id !== taskId)))
})

const ask = async ({ signal }: { readonly signal: AbortSignal }): Promise<number> => {
  isAsking = true
  endedMeanwhile.clear()
  try {
    const { body } = await call(listTasks, { query: { status: 'processing', pageSize: tasksMax } }, { signal })
    become(new Set(body.data.map(({ id }) => id).filter((id) => !endedMeanwhile.has(id))))
    return body.total
  } finally {
    isAsking = false
  }
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The page's own requests go first, and what is seen first. */
const waitMs = 2000
let hasWaited = false

/** It returns whether the server is working in the background. Nobody learns that before a page has been seen. */
export const useSomethingRuns = (): boolean => {
  const [isTime, setIsTime] = useState(hasWaited)
  useEffect(() => {
    const timer = setTimeout(() => setIsTime((hasWaited = true)), waitMs)
    return () => clearTimeout(timer)
  }, [])
  const enabled = useMay('tasks:read') && isTime
  useQuery({ queryKey: ['which tasks run'], queryFn: ask, enabled, staleTime: Infinity, gcTime: Infinity })
  return useSyncExternalStore(subscribe, () => running.size > 0) && isTime
}
