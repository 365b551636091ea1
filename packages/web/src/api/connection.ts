import { readHealth } from '@carrel/api'
import { onlineManager } from '@tanstack/react-query'
import { basePath } from './base.ts'

/** It says whether the server can be reached, and when it is tried again. */
export type Connection =
  | { readonly kind: 'connected' }
  | { readonly kind: 'lost'; readonly since: number; readonly nextTryAt: number }

const connected: Connection = { kind: 'connected' }
const longestWaitMs = 15_000
let connection: Connection = connected
let timer: ReturnType<typeof setTimeout> | undefined
let tries = 0
const listeners = new Set<() => void>()

export const currentConnection = (): Connection => connection

export const onConnectionChange = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** While it is lost, queries and changes wait, and go on by themselves when the server is back. */
export const connectionLost = (): void => {
  if (connection.kind === 'lost') return
  tries = 0
  onlineManager.setOnline(false)
  waitForNextTry(Date.now())
}

export const connectionWorks = (): void => {
  if (connection.kind === 'connected') return
  clearTimeout(timer)
  become(connected)
  onlineManager.setOnline(true)
}

export const tryNow = (): void => {
  // While one is trying there is nothing to wait for.
  if (connection.kind === 'connected' || timer === undefined) return
  void tryAgain(connection.since)
}

/** A server that takes a request and does not answer in time is away too. */
export const reachesServer = (): Promise<boolean> =>
  fetch(basePath + readHealth.path, { cache: 'no-store', signal: AbortSignal.timeout(longestWaitMs) }).then(
    ({ ok }) => ok,
    () => false,
  )

/** The promise settles when the server can be reached: at once when it can be. */
export const connectionBack = (): Promise<void> =>
  new Promise((resolve) => {
    if (connection.kind === 'connected') return resolve()
    const stop = onConnectionChange(() => {
      if (connection.kind !== 'connected') return
      stop()
      resolve()
    })
  })

const tryAgain = async (since: number): Promise<void> => {
  clearTimeout(timer)
  timer = undefined
  const isBack = await reachesServer()
  if (connection.kind === 'connected') return
  if (isBack) connectionWorks()
  else waitForNextTry(since)
}

const waitForNextTry = (since: number): void => {
  const waitMs = Math.min(1000 * 2 ** tries, longestWaitMs)
  tries += 1
  become({ kind: 'lost', since, nextTryAt: Date.now() + waitMs })
  timer = setTimeout(() => void tryAgain(since), waitMs)
}

const become = (next: Connection): void => {
  connection = next
  for (const listener of listeners) listener()
}

// The browser knows before we do when the network comes back; but what waits goes on when the server has answered.
window.addEventListener('online', tryNow)
onlineManager.setEventListener(() => undefined)
