import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { progressOfReplica, progressOfPrimary } from './replication-progress.ts'
import { withClient } from './postgres-client.ts'
import { readPostgresNumbers } from './postgres-numbers.ts'
import { type ReplicationProgress, UnfitError } from './replica-watch.ts'

interface Addresses {
  readonly url: string
  readonly replicaUrl: string
}

export type ReplicaState =
  | { readonly status: 'follows'; readonly afterMs: number }
  | { readonly status: 'behind'; readonly bytes: number }
  | { readonly status: 'away' | 'unfit'; readonly detail: string }
  | { readonly status: 'older schema' | 'does not tell' | 'not known' }

const answersWithinMs = 3000
/** By then a replica that gets on has what was there at the beginning. */
const hasAllWithinMs = 3000
const pollMs = 50

/** It looks whether a replica comes to have what the database has. */
export const readReplicaState = async ({ url, replicaUrl }: Addresses): Promise<ReplicaState> => {
  readPostgresNumbers()
  const primary = await withClient({ url, answersWithinMs }, progressOfPrimary).catch(() => undefined)
  if (!primary) return { status: 'not known' }
  try {
    return await withClient({ url: replicaUrl, answersWithinMs }, (client) => follow(client, primary))
  } catch (error) {
    const { message: detail } = error as Error
    return { status: error instanceof UnfitError ? 'unfit' : 'away', detail }
  }
}

const follow = async (client: Client, primary: ReplicationProgress): Promise<ReplicaState> => {
  const startedAt = performance.now()
  for (;;) {
    const { version, position } = await progressOfReplica(client)
    const afterMs = performance.now() - startedAt
    const missing = primary.position === undefined || position === undefined ? undefined : primary.position - position
    if (version === primary.version && missing === undefined) return { status: 'does not tell' }
    if (version === primary.version && missing !== undefined && missing <= 0) return { status: 'follows', afterMs }
    if (afterMs > hasAllWithinMs)
      return missing === undefined || missing <= 0 ? { status: 'older schema' } : { status: 'behind', bytes: missing }
    await delay(pollMs)
  }
}
