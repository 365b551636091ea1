import { setTimeout as delay } from 'node:timers/promises'
import type { ConnectionProblem } from '@carrel/api'
import type { Context } from '../../context.ts'
import { announce } from '../../events/outbox.ts'
import { PluginFault } from '../../plugins/fault.ts'
import type { OwnCredentials, OwnTrust, PluginRow, Secrets } from '../plugins/plugins.ts'
import { type Granted, refreshTokens, IssuerProblem } from './authorization.ts'
import {
  claimRefresh,
  type ConnectionRow,
  type Ends,
  selectConnection,
  selectEncryptedAfter,
  updateConnection,
  updateEncrypted,
} from './queries.ts'
import { issuerOf } from './issuer.ts'
import { brokenBy, heldFrom, reencrypted, type Tokens, tokensOf } from './trust.ts'

type OwnTrustContext = Pick<Context, 'db' | 'clock' | 'log' | 'settings' | 'config' | 'secret'>

/** It is longer than asking a service may take. */
const claimMs = 30_000
const pollMs = 200
/** A service that was away is asked again after it. */
const pauseMs = 60_000
const requestMs = 20_000

/** `kept`: there are no new ones now, and the old ones may do still. */
type Outcome = 'renewed' | 'kept' | 'broken'

interface Work extends OwnTrustContext {
  readonly secrets: Secrets
}

/** It keeps users' credentials fresh, for the code that runs plugins. */
export const ownTrust = (context: OwnTrustContext): OwnTrust => {
  const work: Work = {
    ...context,
    secrets: { secret: context.secret, formerSecret: context.config.formerSecretKey },
  }
  const underWay = new Map<string, Promise<Outcome>>()
  const renewOnce = (plugin: PluginRow, row: ConnectionRow): Promise<Outcome> => {
    const key = `${row.user_id} ${row.plugin_id}`
    const renewing = underWay.get(key) ?? renew(work, plugin, row).finally(() => underWay.delete(key))
    underWay.set(key, renewing)
    return renewing
  }
  return {
    of: async (plugin, userId) => {
      const ends = { userId, pluginId: plugin.id }
      const row = await selectConnection(work.db.read, ends)
      if (!row) return undefined
      if (row.problem === null && isPast(row.refresh_at, work.clock())) await renewOnce(plugin, row)
      return credentialsIn(work, ends)
    },
    refused: async (plugin, userId, { credentials, times }) => {
      const ends = { userId, pluginId: plugin.id }
      const row = await selectConnection(work.db.read, ends)
      if (!row || row.tokens === null) return false
      // Somebody has changed them meanwhile.
      if (row.version !== credentials.version) return times === 1
      if (times === 1 && tokensOf(work.secrets, row)?.refreshToken !== undefined)
        return (await renewOnce(plugin, row)) === 'renewed'
      await breakOff(work, row, 'token_refused')
      return false
    },
    reencrypt: () => reencryptAll(work),
  }
}

const isPast = (time: string | null, now: Date): boolean => time !== null && time <= now.toISOString()

const credentialsIn = async (work: Work, ends: Ends): Promise<OwnCredentials | undefined> => {
  const row = await selectConnection(work.db.read, ends)
  if (!row) return undefined
  const tokens = tokensOf(work.secrets, row)
  if (tokens && row.problem === 'unreadable') await setReadable(work, row, true)
  else if (!tokens && row.problem === null) await setReadable(work, row, false)
  if (!tokens) throw new PluginFault('UNAVAILABLE', 'Its user has to connect it again.')
  if (isPast(row.expires_at, work.clock()))
    throw new PluginFault('UNAVAILABLE', 'The service where its user has signed in does not answer.', {
      retryAfterSeconds: pauseMs / 1000,
    })
  return { words: { access_token: tokens.accessToken }, version: row.version }
}

const endsOf = ({ user_id, plugin_id, version }: ConnectionRow) => ({ userId: user_id, pluginId: plugin_id, version })

/** They stay: it may be this node that has the wrong secret. */
const setReadable = ({ db }: Work, row: ConnectionRow, isReadable: boolean): Promise<boolean> =>
  db.write((db) => updateConnection(db, endsOf(row), { problem: isReadable ? null : 'unreadable' }))

/** The connection stays broken until somebody connects it again. */
const breakOff = async ({ db, clock, log }: Work, row: ConnectionRow, problem: ConnectionProblem): Promise<void> => {
  const { userId, pluginId } = endsOf(row)
  const isBroken = await db.write(async (db) => {
    const isBroken = await updateConnection(db, endsOf(row), brokenBy(problem, clock()))
    if (isBroken)
      await announce(
        db,
        [{ event: { type: 'recommendations_updated' }, to: { userId, permission: 'progress:read' } }],
        clock(),
      )
    return isBroken
  })
  if (isBroken) log.info({ pluginId, userId, problem }, 'What connected a user to a plugin does so no more')
}

const renew = async (work: Work, plugin: PluginRow, row: ConnectionRow): Promise<Outcome> => {
  const { db, clock } = work
  const tokens = tokensOf(work.secrets, row)
  if (!tokens) return 'kept'
  if (tokens.refreshToken === undefined) return broken(work, row, 'expired')
  const now = clock()
  const until = new Date(now.getTime() + claimMs).toISOString()
  const isOurs = await db.write((db) => claimRefresh(db, endsOf(row), { now: now.toISOString(), until }))
  if (!isOurs) return waitForOther(work, row)
  try {
    const granted = await grantedAnew(work, plugin, tokens)
    await db.write((db) => updateConnection(db, endsOf(row), heldFrom(work.secrets, granted, clock())))
    return 'renewed'
  } catch (error) {
    if (!(error instanceof IssuerProblem)) throw error
    const { pluginId, userId } = endsOf(row)
    work.log.warn({ pluginId, userId, reason: error.message }, 'A sign-in at the service of a plugin was not renewed')
    if (error.kind === 'refused') return broken(work, row, 'refresh_refused')
    const later = new Date(clock().getTime() + pauseMs).toISOString()
    await db.write((db) => updateConnection(db, endsOf(row), { refresh_at: later, refreshing_until: null }))
    return 'kept'
  }
}

const broken = async (work: Work, row: ConnectionRow, problem: ConnectionProblem): Promise<Outcome> => {
  await breakOff(work, row, problem)
  return 'broken'
}

/** The request is not cancelled when nobody waits for it any more: a service may not hand out the same token twice. */
const grantedAnew = async (work: Work, plugin: PluginRow, tokens: Tokens): Promise<Granted> => {
  const issuer = issuerOf(work, plugin)
  if (!issuer) throw new IssuerProblem('away', 'What signing in there takes is not set up any more.')
  const { refreshToken = '' } = tokens
  const granted = await refreshTokens(issuer, refreshToken, AbortSignal.timeout(requestMs))
  // When the service sends no new refresh token, the old one stays valid.
  return { ...granted, refreshToken: granted.refreshToken ?? refreshToken }
}

/** Another process is refreshing the token. */
const waitForOther = async ({ db }: Work, row: ConnectionRow): Promise<Outcome> => {
  const endsAt = performance.now() + requestMs
  const { userId, pluginId, version } = endsOf(row)
  while (performance.now() < endsAt) {
    const now = await selectConnection(db.read, { userId, pluginId })
    if (!now || now.problem !== null) return 'broken'
    if (now.version !== version) return 'renewed'
    if (now.refreshing_until === null) return 'kept'
    await delay(pollMs)
  }
  return 'kept'
}

const atOnce = 200

const reencryptAll = async ({ db, secrets, log }: Work): Promise<void> => {
  let after = { user_id: '', plugin_id: '' }
  let count = 0
  for (;;) {
    const rows = await db.write(async (db) => {
      const rows = await selectEncryptedAfter(db, after, atOnce)
      const changed = rows.flatMap((row) => {
        const tokens = reencrypted(secrets, row.tokens)
        return tokens === undefined ? [] : [{ ...row, tokens }]
      })
      await updateEncrypted(db, changed)
      count += changed.length
      return rows
    })
    const last = rows.at(-1)
    if (!last || rows.length < atOnce) break
    after = last
  }
  if (count > 0) log.info({ count }, 'The sign-ins of users at the services of plugins are encrypted under the new key')
}
