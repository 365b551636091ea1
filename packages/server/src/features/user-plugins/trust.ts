import type { ConnectionProblem } from '@carrel/api'
import type { WriteDb } from '../../database/database.ts'
import { newId } from '../../platform/ids.ts'
import { isReencrypted, encrypt, type Secrets, decrypt } from '../plugins/plugins.ts'
import type { Granted, Person } from './authorization.ts'
import { type ConnectionRow, type Ends, saveConnection, saveChoice } from './queries.ts'

/** This part of a connection is encrypted. */
export interface Tokens {
  readonly accessToken: string
  readonly refreshToken?: string | undefined
}

/** Undefined: it was encrypted under a secret that nobody here knows any more. */
export const tokensOf = (secrets: Secrets, { tokens }: Pick<ConnectionRow, 'tokens'>): Tokens | undefined =>
  // Nobody else writes to this column.
  tokens === null ? undefined : (decrypt(secrets, tokens) as Tokens | undefined)

/** The same encrypted under the present secret; undefined where it is, or cannot be. */
export const reencrypted = (secrets: Secrets, tokens: string): string | undefined => {
  if (isReencrypted(secrets, tokens)) return undefined
  const value = decrypt(secrets, tokens)
  return value === undefined ? undefined : encrypt(secrets, value)
}

/** New ones are asked for a minute before the old ones end, or half-way where they live for less than two. */
const earlySeconds = 60

type HeldTokens = Pick<
  ConnectionRow,
  'tokens' | 'version' | 'expires_at' | 'refresh_at' | 'refreshing_until' | 'problem'
>

export const heldFrom = (secrets: Secrets, { lifeSeconds, ...tokens }: Granted, now: Date): HeldTokens => {
  const after = (seconds: number): string => new Date(now.getTime() + seconds * 1000).toISOString()
  const canBeRenewed = tokens.refreshToken !== undefined
  const early = (life: number): number => (canBeRenewed ? Math.max(life - earlySeconds, life / 2) : life)
  return {
    tokens: encrypt(secrets, tokens satisfies Tokens),
    version: newId(now.getTime()),
    expires_at: lifeSeconds === undefined ? null : after(lifeSeconds),
    refresh_at: lifeSeconds === undefined ? null : after(early(lifeSeconds)),
    refreshing_until: null,
    problem: null,
  }
}

/** Tokens that are of no use any more are not kept. */
export const brokenBy = (problem: ConnectionProblem, now: Date): HeldTokens => ({
  tokens: null,
  version: newId(now.getTime()),
  expires_at: null,
  refresh_at: null,
  refreshing_until: null,
  problem,
})

interface Connecting extends Ends {
  readonly kind: ConnectionRow['kind']
  readonly granted: Granted
  readonly person: Person
  readonly now: Date
}

/** It replaces any earlier connection; whoever connects a plugin wants it switched on. */
export const connect = async (
  db: WriteDb,
  secrets: Secrets,
  { userId, pluginId, kind, granted, person, now }: Connecting,
): Promise<void> => {
  const at = now.toISOString()
  await saveChoice(db, { userId, pluginId, at }, { enabled: 1 })
  await saveConnection(db, {
    user_id: userId,
    plugin_id: pluginId,
    kind,
    ...heldFrom(secrets, granted, now),
    external_username: person.username,
    external_avatar_url: person.avatarUrl,
    connected_at: at,
  })
}
