import { setTimeout as delay } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { isRefusedAsFull, noteNoConnection } from './postgres-faults.ts'

/** A pool that was refused another connection asks for more only after this. */
const askAgainMs = 10_000
const tryAgainMs = 100

/**
 * Where PostgreSQL takes no more connections, because other nodes have them, a pool does with those that it has: whoever asked waits for
 * one of them, as if it were full. A pool that has none tries again for as long as its callers wait.
 */
export const doWithFewer = (pool: Pool, { waitMs }: { readonly waitMs: number }): void => {
  const connect = pool.connect.bind(pool) as () => Promise<PoolClient>
  const { max } = pool.options
  let isSmaller = false
  const becomeSmaller = (): void => {
    pool.options.max = Math.max(1, pool.totalCount)
    if (isSmaller) return
    isSmaller = true
    const growAgain = setTimeout(() => {
      isSmaller = false
      pool.options.max = max
    }, askAgainMs)
    growAgain.unref()
  }
  const connectPatiently = async (): Promise<PoolClient> => {
    const until = performance.now() + waitMs
    for (;;) {
      try {
        return await connect()
      } catch (error) {
        noteNoConnection(error)
        if (!isRefusedAsFull(error) || performance.now() > until) throw error
        becomeSmaller()
        if (pool.totalCount === 0) await delay(tryAgainMs)
      }
    }
  }
  pool.connect = ((callback?: OnConnected) => {
    const connecting = connectPatiently()
    return callback === undefined ? connecting : void tell(connecting, callback)
  }) as typeof pool.connect
}

type OnConnected = (error: unknown, client?: PoolClient, done?: PoolClient['release']) => void

const tell = async (connecting: Promise<PoolClient>, callback: OnConnected): Promise<void> => {
  const [outcome] = await Promise.allSettled([connecting])
  if (outcome.status === 'fulfilled') callback(undefined, outcome.value, outcome.value.release)
  else callback(outcome.reason)
}
