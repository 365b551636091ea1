import type { ClientBase, Pool, PoolClient } from 'pg'

/**
 * It looks after connections that have gone silent (decision 081). A router that has forgotten one tells neither end, and the system goes on trying
 * for a quarter of an hour. PostgreSQL ends what takes too long before we do: whatever has not answered by then may never answer
 * again. Such a connection is closed at once, and so are those that nobody was using: they have most likely gone the same way, and each
 * would keep somebody waiting until that was known.
 */
export const closeSilent = (): ((pool: Pool) => void) => {
  const idle = new Set<PoolClient>()
  const closeIdle = (): void => {
    // The pool drops a connection of its own that fails while nobody uses it.
    const closed = [...idle]
    idle.clear()
    for (const client of closed) client.emit('error', new Error('Another connection was given no answer'))
  }

  return (pool) => {
    pool.on('acquire', (client) => idle.delete(client))
    pool.on('release', (error, client) => {
      if (!error) idle.add(client)
    })
    pool.on('remove', (client) => idle.delete(client))
    pool.on('connect', (client) =>
      onSilence(client, () => {
        void client.end().catch(() => undefined)
        closeIdle()
      }),
    )
  }
}

const onSilence = (client: ClientBase, notice: () => void): void => {
  const query = client.query.bind(client) as (...values: readonly unknown[]) => unknown
  const watched = (...queryArguments: readonly unknown[]): unknown => {
    const answer = query(...queryArguments)
    if (answer instanceof Promise)
      answer.catch((error: unknown) => {
        if (isSilence(error)) notice()
      })
    return answer
  }
  client.query = watched as typeof client.query
}

const isSilence = (error: unknown): boolean => error instanceof Error && error.message === 'Query read timeout'
