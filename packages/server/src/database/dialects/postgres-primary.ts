import type { ClientBase, Pool, PoolClient } from 'pg'

/** PostgreSQL answers so where nothing can be changed. */
export const takesNoChanges = '25006'

/**
 * When another server has taken over, an address leads to one that only follows it for a while. What is read there may be older than
 * what was written a moment ago, so that such a connection is not used at all.
 */
const requirePrimaryBy =
  (statement: string) =>
  (client: PoolClient, done: (error?: Error) => void): void => {
    client.query<{ follows: boolean }>(statement, (error: Error | null, result) =>
      done(error ?? (result.rows[0]?.follows ? following() : undefined)),
    )
  }

const isFollower = 'select pg_is_in_recovery() as follows'

/**
 * A node that is cut off leaves transactions open, and whoever changes the same rows at another node waits for their locks. PostgreSQL
 * asks the system of a node that says nothing whether it is still there, and ends its connections after four seconds, when the node
 * gives them up as well. Usually it would ask after two hours.
 */
const missedSoon = [
  ['tcp_keepalives_idle', '2'],
  ['tcp_keepalives_interval', '1'],
  ['tcp_keepalives_count', '2'],
  ['tcp_user_timeout', '4000'],
  ['client_connection_check_interval', '2000'],
] as const

/** The server counts on these, whatever a role or a database is set to. */
const countedOn = [
  ['default_transaction_isolation', 'read committed'],
  ['extra_float_digits', '1'],
  ['standard_conforming_strings', 'on'],
  // A connection that rests is closed by its pool.
  ['idle_session_timeout', '0'],
] as const

/** Databases of this family that do not have such a setting do without. */
const settings = [...missedSoon, ...countedOn].map(
  ([name, value]) =>
    `case when current_setting('${name}', true) is not null then set_config('${name}', '${value}', false) end`,
)

export const requirePrimary = requirePrimaryBy([isFollower, ...settings].join(', '))

/** The connections of a pooler to PostgreSQL are not ours. */
export const requirePrimaryBehindPooler = requirePrimaryBy(isFollower)

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
