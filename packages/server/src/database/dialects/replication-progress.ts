import type { ClientBase } from 'pg'
import { codeOf, isLost } from './postgres-faults.ts'
import { type ReplicationProgress, UnfitError } from './replica-watch.ts'

export const isPooler =
  'CARREL_DATABASE_REPLICA_URL leads to a pooler, which hides what server answers: name PostgreSQL itself, or what hands on whole connections'
const followsNothing = 'What answers at CARREL_DATABASE_REPLICA_URL follows no other server'

export const positionOfPrimary = `select pg_current_wal_lsn() - '0/0'::pg_lsn as position`
const positionOfReplica = `select pg_last_wal_replay_lsn() - '0/0'::pg_lsn as position`

interface ReplicaRow {
  readonly follows: boolean
  readonly pid: number
  readonly version: number
}

/** How far a replica has come; it fails where something else answers. */
export const progressOfReplica = async (client: ClientBase): Promise<ReplicationProgress> => {
  const { rows } = await client.query<ReplicaRow>(
    'select pg_is_in_recovery() as follows, pg_backend_pid() as pid, (select version from schema_version) as version',
  )
  const [row] = rows
  // A pooler makes a number of its own up for each of its clients.
  if ('processID' in client && client.processID !== row?.pid) throw new UnfitError(isPooler)
  if (!row?.follows) throw new UnfitError(followsNothing)
  const position = await positionAt(() => client.query<{ position: number }>(positionOfReplica))
  return { version: row.version, position }
}

export const progressOfPrimary = async (client: ClientBase): Promise<ReplicationProgress> => {
  const { rows } = await client.query<{ version: number }>('select version from schema_version')
  const position = await positionAt(() => client.query<{ position: number }>(positionOfPrimary))
  return { version: rows[0]?.version ?? 0, position }
}

/** Some services refuse to tell. */
export const positionAt = async (
  ask: () => Promise<{ readonly rows: readonly { readonly position: number | null }[] }>,
): Promise<number | undefined> => {
  try {
    return (await ask()).rows[0]?.position ?? undefined
  } catch (error) {
    if (isLost(error) || codeOf(error) === '') throw error
    return undefined
  }
}
