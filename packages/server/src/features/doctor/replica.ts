import type { Config } from '../../config.ts'
import type { ReplicaState } from '../../database/dialects/replica-state.ts'
import { type Finding, ok, warning } from './finding.ts'

const check = 'replica'
const meanwhile = 'Until then everything is read from the database itself.'

/** Nothing of it keeps a server from its work: what a replica does not answer the database itself does. */
export const examineReplica = async ({ database, databaseReplicaUrl: replicaUrl }: Config): Promise<Finding[]> => {
  if (database.kind !== 'postgres' || replicaUrl === undefined) return []
  // Loaded only where it is used: most installations run without it.
  const { readReplicaState } = await import('../../database/dialects/replica-state.ts')
  return [findingOf(await readReplicaState({ url: database.url, replicaUrl }))]
}

const findingOf = (replica: ReplicaState): Finding => {
  switch (replica.status) {
    case 'follows':
      return ok(check, `The replica follows: what the database had it had ${Math.ceil(replica.afterMs)} ms later.`)
    case 'does not tell':
      return ok(check, 'The replica follows. How far behind it is this service does not tell.')
    case 'behind':
      return warning(
        check,
        `The replica follows, but does not get on: it lacks ${Math.ceil(replica.bytes / 1024)} KiB of what has been written.`,
        `See whether its replay is paused or delayed (recovery_min_apply_delay), waits for a long query, or is too slow. ${meanwhile}`,
      )
    case 'older schema':
      return warning(check, 'The replica has an older schema.', `See whether it still follows. ${meanwhile}`)
    case 'unfit':
      return warning(
        check,
        `${replica.detail}.`,
        `Name a server that follows, or what hands on connections to several, or take the setting away. ${meanwhile}`,
      )
    case 'away':
      return warning(
        check,
        `The replica does not answer (${replica.detail}).`,
        `See whether it runs and lets this role read (hot_standby, pg_hba.conf), and whether CARREL_DATABASE_REPLICA_URL is right. ${meanwhile}`,
      )
    case 'not known':
      return warning(
        check,
        'How far behind the replica is cannot be known without the database and its tables.',
        'See to the database first.',
      )
  }
}
