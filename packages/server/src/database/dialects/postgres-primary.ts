import type { ClientBase, Pool, PoolClient } from 'pg'

/** PostgreSQL answers so where nothing can be changed. */
export const takesNoChanges = '25006'

/**
 * When another server has taken over, an address leads to one that only follows it for a while. What is read there may be older than
 * what was written a moment ago, so that such a connection is not used at all.
 */
export const requirePrimary = (client: PoolClient, done: (error?: Error) => void): void => {
  client.query<{ follows: boolean }>('select pg_is_in_recovery() as follows', (error: Error | null, result) =>
    done(error ?? (result.rows[0]?.follows ? following() : undefined)),
  )
}

const following = (): Error =>
  Object.assign(new Error('This PostgreSQL follows another one, and takes no changes.'), { code: takesNoChanges })

/** A connection on which a change was refused is closed when it comes back: the next may lead to where changes are taken. */
export const leaveReadOnly = (pool: Pool): void => {
  const refused = new WeakSet<ClientBase>()
  pool.on('connect', (client: ClientBase) => {
    const query = client.query.bind(client) as (...values: readonly unknown[]) => unknown
    const watched = (...queryArguments: readonly unknown[]): unknown => {
      const answer = query(...queryArguments)
      if (answer instanceof Promise)
        answer.catch((error: unknown) => {
          if (error instanceof Error && 'code' in error && error.code === takesNoChanges) refused.add(client)
        })
      return answer
    }
    client.query = watched as typeof client.query
  })
  pool.on('release', (_, client) => {
    if (refused.has(client)) void client.end().catch(() => undefined)
  })
}
