import { createHmac } from 'node:crypto'
import { finishUserPluginSignIn, type PluginSignInFailure } from '@carrel/api'
import { type Config, isLoopback } from '../../config.ts'
import { AppError, tooManyTries } from '../../platform/errors.ts'
import { limitConcurrency } from '../../platform/limits.ts'
import { OutboundProblem } from '../../platform/outbound.ts'
import { deriveKey, randomToken, sha256 } from '../../platform/secrets/tokens.ts'
import { selectUser } from '../users/users.ts'
import { lockUser } from '../../database/lock-user.ts'
import { authorizationAddress, exchangeCode, readPerson, IssuerProblem } from './authorization.ts'
import { type ConnectionContext, secretsOf } from './connections.ts'
import {
  deleteSignInsUntil,
  type Ends,
  insertSignIn,
  selectOfferedOne,
  selectOpenSignIns,
  type SignInRow,
  takeSignIn,
} from './queries.ts'
import { issuerOf } from './issuer.ts'
import { connect } from './trust.ts'
import { requireOffered } from './user-plugins.ts'

export const signInSeconds = 300
/** One user may have this many open at once. */
const openMax = 3
/** A sign-in that took too long is remembered for this long, to be told apart from one that never was. */
const lateMs = 60 * 60 * 1000
const requestMs = 40_000
const inLine = limitConcurrency({
  inFlightMax: 16,
  waitingMax: 64,
  busy: 'Too many sign in elsewhere at once. Try again in a moment.',
})

/** A service sends a browser back with this. */
export interface Callback {
  readonly state: string
  readonly code?: string | undefined
  readonly error?: string | undefined
}

/** It is who comes back: the browser that began, or one in which the same user is signed in. */
export interface Comer {
  readonly browser: string | undefined
  readonly userId: string | undefined
}

type Outcome = { readonly connected: string } | { readonly error: PluginSignInFailure }

/** A page of the web app. */
const page = '/account/plugins'

/**
 * One is begun (a row), then finished by whoever comes first with its state (the row is gone). Nothing else is kept
 * between the two, so that any node can take either step.
 */
export const signInElsewhere = (context: ConnectionContext) => {
  const key = deriveKey(context.secret, 'sign-in at the service of a plugin')
  // The verifier is derived from the state: the database holds nothing with which a sign-in could be finished.
  const verifierOf = (state: string): string => createHmac('sha256', key).update(state).digest('base64url')
  return {
    begin: (ends: Ends, browser: string): Promise<string> => begin(context, ends, { browser, verifierOf }),
    finish: async (callback: Callback, comer: Comer): Promise<string> => {
      const outcome = await finish(context, callback, { comer, verifierOf })
      return `${context.config.basePath}${page}?${new URLSearchParams(outcome).toString()}`
    },
  }
}

type VerifierOf = (state: string) => string

const begin = async (
  context: ConnectionContext,
  { userId, pluginId }: Ends,
  { browser, verifierOf }: { readonly browser: string; readonly verifierOf: VerifierOf },
): Promise<string> => {
  const { db, settings, clock, config } = context
  const { row, manifest } = await requireOffered(db.read, userId, pluginId)
  if (!manifest.oauth)
    throw new AppError('conflict', 'Nobody signs in elsewhere for this plugin.', { reason: 'sign_in_not_set_up' })
  const issuer = issuerOf({ settings, secrets: secretsOf(context) }, row)
  if (!issuer)
    throw new AppError('conflict', 'Your administrator has not set up signing in for this plugin yet.', {
      reason: 'sign_in_not_set_up',
    })
  const state = randomToken()
  const location = addressIn(() =>
    authorizationAddress(issuer, { state, verifier: verifierOf(state), redirectUri: callbackUrl(config) }),
  )
  const now = clock()
  await db.write(async (db) => {
    await deleteSignInsUntil(db, new Date(now.getTime() - lateMs).toISOString())
    await lockUser(db, userId)
    const open = await selectOpenSignIns(db, userId, now.toISOString())
    const [first] = open
    if (first !== undefined && open.length >= openMax) {
      const seconds = Math.max(1, Math.ceil((Date.parse(first) - now.getTime()) / 1000))
      throw tooManyTries(seconds, `You have begun to sign in elsewhere ${openMax} times and not finished.`)
    }
    await insertSignIn(db, {
      state_hash: sha256(state),
      user_id: userId,
      plugin_id: pluginId,
      browser_hash: sha256(browser),
      expires_at: new Date(now.getTime() + signInSeconds * 1000).toISOString(),
    })
  })
  return location
}

/** The manifest of a plugin is not ours: what it names may be no address at all. */
const addressIn = (make: () => string): string => {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof OutboundProblem)) throw error
    throw new AppError('conflict', `The plugin leads nowhere to sign in. ${error.message}`, { cause: error })
  }
}

/** Services must be given this address, as the providers that sign people in here are. */
const callbackUrl = ({ oidc, publicUrl, host }: Pick<Config, 'oidc' | 'publicUrl' | 'host'>): string => {
  if (publicUrl === undefined && !isLoopback(host))
    throw new AppError(
      'conflict',
      'This server does not know its own address: your administrator sets CARREL_PUBLIC_URL.',
      { reason: 'address_unknown' },
    )
  return oidc.callbackBase + finishUserPluginSignIn.path
}

const finish = async (
  context: ConnectionContext,
  callback: Callback,
  { comer, verifierOf }: { readonly comer: Comer; readonly verifierOf: VerifierOf },
): Promise<Outcome> => {
  const { db, clock } = context
  const begun = await db.write((db) =>
    takeSignIn(db, {
      stateHash: sha256(callback.state),
      browserHash: comer.browser === undefined ? null : sha256(comer.browser),
      userId: comer.userId ?? null,
    }),
  )
  if (!begun) return { error: 'unknown' }
  if (Date.parse(begun.expires_at) <= clock().getTime()) return { error: 'expired' }
  if (callback.error !== undefined) return { error: failureOf(callback.error) }
  if (callback.code === undefined || callback.code === '') return { error: 'failed' }
  return inLine(() => swap(context, begun, { code: callback.code ?? '', verifier: verifierOf(callback.state) }))
}

const failureOf = (error: string): PluginSignInFailure => {
  if (['access_denied', 'login_required', 'interaction_required', 'consent_required'].includes(error)) return 'denied'
  return ['temporarily_unavailable', 'server_error'].includes(error) ? 'unavailable' : 'failed'
}

interface Swapping {
  readonly code: string
  readonly verifier: string
}

/** It swaps the code for tokens, and those for a connection. */
const swap = async (
  context: ConnectionContext,
  { user_id: userId, plugin_id: pluginId }: SignInRow,
  { code, verifier }: Swapping,
): Promise<Outcome> => {
  const { db, settings, clock, config, log } = context
  const secrets = secretsOf(context)
  const row = await selectOfferedOne(db.read, userId, pluginId)
  const issuer = row && issuerOf({ settings, secrets }, row)
  const isActive = (await selectUser(db.read, userId))?.is_active === 1
  if (!issuer || !isActive) return { error: 'off' }
  const signal = AbortSignal.timeout(requestMs)
  try {
    const granted = await exchangeCode(issuer, { code, verifier, redirectUri: callbackUrl(config) }, signal)
    const person = await readPerson(issuer, granted.accessToken, signal)
    return await db.write(async (db) => {
      // It may have gone meanwhile.
      if (!(await selectOfferedOne(db, userId, pluginId))) return { error: 'off' }
      await connect(db, secrets, { userId, pluginId, kind: 'oauth', granted, person, now: clock() })
      return { connected: pluginId }
    })
  } catch (error) {
    if (!(error instanceof IssuerProblem)) throw error
    log.warn({ pluginId, userId, reason: error.message }, 'A sign-in at the service of a plugin failed')
    return { error: error.kind === 'away' ? 'unavailable' : 'failed' }
  }
}
