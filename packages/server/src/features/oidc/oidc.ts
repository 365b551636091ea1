import { createHmac } from 'node:crypto'
import {
  addressOf,
  finishOidcLogin,
  followOidcLogin,
  type OidcFailure,
  type OidcLogin,
  type OidcSignedIn,
} from '@carrel/api'
import type { Config, OidcProvider } from '../../config.ts'
import type { WriteDb } from '../../database/database.ts'
import { AppError, invalid, notFound } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import { deriveKey, randomToken, sha256 } from '../../platform/secrets/tokens.ts'
import type { Visitor } from '../sessions/sessions.ts'
import { openSession, type SignInContext, type Welcome, welcome } from '../sign-in/sign-in.ts'
import type { Person } from './claims.ts'
import { findUser } from './find-user.ts'
import {
  authorizationUrl,
  fetchPerson,
  describeError,
  isAway,
  printable,
  type Proof,
  type Connect,
  rememberConnections,
} from './provider.ts'
import { type BegunSignIn, deleteBegunUntil, insertBegun, selectExpiryOfRank, takeBegun } from './queries.ts'
import { ownPath } from './return-to.ts'

export interface OidcContext extends SignInContext {
  readonly config: Pick<Config, 'oidc' | 'basePath'>
  readonly log: Log
}

export const signInSeconds = 600
/** A sign-in that took too long is remembered for this long, to be told apart from one that never was. */
const lateMs = 60 * 60 * 1000
/** Beyond this number the oldest are dropped: strangers can begin as many sign-ins as the rate limiter lets them. */
const begunMax = 10_000

export const listProviders = ({ oidc, basePath }: OidcContext['config']) => ({
  enabled: oidc.providers.length > 0,
  providers: oidc.providers.map(({ name, displayName }) => ({
    name,
    displayName,
    loginUrl: basePath + addressOf(followOidcLogin, { params: { provider: name } }),
  })),
})

/** A provider sends a browser back with this. */
interface Callback {
  readonly state: string
  readonly code?: string | undefined
  readonly iss?: string | undefined
  readonly error?: string | undefined
}

/** A sign-in ends at this address, with the cookie of the web app if it ends there. */
interface Landing {
  readonly location: string
  readonly cookie?: string
}

interface Ways extends OidcContext {
  readonly connect: Connect
  readonly proofOf: (state: string) => Proof
}

/**
 * A sign-in is begun (a row), then finished by whoever comes first with its state from the same browser (the row is
 * gone). Nothing else is kept between the two, so that any node can take either step.
 */
export const signInThrough = (context: OidcContext) => {
  const key = deriveKey(context.secret, 'oidc')
  const derive = (purpose: string, state: string) =>
    createHmac('sha256', key).update(`${purpose} ${state}`).digest('base64url')
  const ways: Ways = {
    ...context,
    connect: rememberConnections(context.clock),
    // The proof is derived from the state, which only this browser knows: the database holds nothing with which a
    // sign-in could be finished.
    proofOf: (state) => ({ state, nonce: derive('nonce', state), codeVerifier: derive('verifier', state) }),
  }
  return {
    begin: (provider: string, options: OidcLogin, from: Beginning) => begin(ways, provider, options, from),
    finish: (provider: string, callback: Callback, from: Ending) => finish(ways, provider, callback, from),
  }
}

const providerOf = ({ config }: Ways, name: string): OidcProvider => {
  const provider = config.oidc.providers.find((each) => each.name === name)
  if (!provider) throw notFound('sign-in provider')
  return provider
}

const callbackUrlOf = ({ config }: Ways, { name }: OidcProvider): string =>
  config.oidc.callbackBase + finishOidcLogin.path.replace('{provider}', name)

interface Beginning {
  /** Absent where an app begins the sign-in of a browser it has yet to open. */
  readonly browser: string | undefined
  readonly optionsIn: 'body' | 'query'
}

const begin = async (
  ways: Ways,
  name: string,
  options: OidcLogin,
  { browser, optionsIn }: Beginning,
): Promise<string> => {
  const { db, clock, config } = ways
  const provider = providerOf(ways, name)
  const { redirectUri = null, returnTo } = checkedOptions(options, config, optionsIn === 'body' ? '/' : '')
  const connection = await ways.connect(provider)
  const now = clock().getTime()
  const state = randomToken()
  await db.write(async (db) => {
    await forgetOld(db, now)
    await insertBegun(db, {
      stateHash: sha256(state),
      provider: name,
      browserHash: browser === undefined ? null : sha256(browser),
      redirectUri,
      returnTo,
      expiresAt: new Date(now + signInSeconds * 1000).toISOString(),
    })
  })
  return authorizationUrl(connection, callbackUrlOf(ways, provider), ways.proofOf(state))
}

const forgetOld = async (db: WriteDb, now: number): Promise<void> => {
  await deleteBegunUntil(db, new Date(now - lateMs).toISOString())
  const crowdedOut = await selectExpiryOfRank(db, begunMax - 1)
  if (crowdedOut !== undefined) await deleteBegunUntil(db, crowdedOut)
}

interface Ending {
  readonly browser: string | undefined
  readonly visitor: Visitor
}

const finish = async (ways: Ways, name: string, callback: Callback, { browser, visitor }: Ending): Promise<Landing> => {
  const { db, clock, config } = ways
  const provider = providerOf(ways, name)
  const browserHash = browser === undefined ? null : sha256(browser)
  const mine = { stateHash: sha256(callback.state), provider: name, browserHash }
  const begun = await db.write((db) => takeBegun(db, mine))
  if (!begun) {
    const message = 'This sign-in was not begun in this browser, or is finished already. Begin again.'
    throw new AppError('not_authenticated', message)
  }
  const isLate = Date.parse(begun.expiresAt) <= clock().getTime()
  const person: Person | Refusal = isLate ? { failure: 'oidc_expired' } : await askProvider(ways, provider, callback)
  const outcome = 'failure' in person ? person : await admit(ways, provider, person, visitor)
  noteOutcome(ways, provider, visitor, outcome)
  return landing(begun, config.basePath, outcome)
}

/** Administrators read this sentence in the list of sign-ins. */
const reasonOf = (failure: OidcFailure): string => `Refused: ${failure.replace('oidc_', '').replaceAll('_', ' ')}.`

const noteOutcome = (
  { activity }: Ways,
  { name }: OidcProvider,
  { ip, userAgent }: Visitor,
  outcome: Admitted | Refusal,
): void => {
  const from = { source: `oidc:${name}`, ip, userAgent } as const
  if ('failure' in outcome) activity.note({ ...from, error: reasonOf(outcome.failure), isRepeated: true })
  else activity.note({ ...from, userId: outcome.signedIn.user.id, isRepeated: false })
}

const askProvider = async (ways: Ways, provider: OidcProvider, callback: Callback): Promise<Person | Refusal> => {
  if (callback.error !== undefined) return refusalOf(ways, provider, callback.error)
  const currentUrl = new URL(callbackUrlOf(ways, provider))
  for (const name of ['code', 'state', 'iss'] as const) {
    if (callback[name] !== undefined) currentUrl.searchParams.set(name, callback[name])
  }
  try {
    return await fetchPerson(await ways.connect(provider), currentUrl, ways.proofOf(callback.state))
  } catch (error) {
    ways.log.warn({ provider: provider.name, reason: describeError(error) }, 'A sign-in through a provider failed')
    return { failure: isAway(error) ? 'oidc_unavailable' : 'oidc_failed' }
  }
}

const checkedOptions = (
  { redirectUri, returnTo }: OidcLogin,
  { oidc, basePath }: OidcContext['config'],
  pointer: '/' | '',
) => {
  if (redirectUri !== undefined && !oidc.redirectUris.includes(redirectUri)) {
    throw invalid(`${pointer}redirectUri`, 'This address is not one of those that apps may have their tokens sent to.')
  }
  const path = returnTo === undefined ? `${basePath}/` : ownPath(returnTo, basePath)
  if (path === undefined) throw invalid(`${pointer}returnTo`, 'This must be the path of a page of this server.')
  return { redirectUri, returnTo: path }
}

interface Refusal {
  readonly failure: OidcFailure
}

const refusalOf = ({ log }: OidcContext, { name }: OidcProvider, error: string): Refusal => {
  log.info({ provider: name, error: printable(error) }, 'A provider refused a sign-in')
  if (['access_denied', 'login_required', 'interaction_required', 'consent_required'].includes(error)) {
    return { failure: 'oidc_denied' }
  }
  return { failure: ['temporarily_unavailable', 'server_error'].includes(error) ? 'oidc_unavailable' : 'oidc_failed' }
}

interface Admitted extends Welcome {
  readonly provider: string
  readonly isNew: boolean
}

const admit = async (
  context: OidcContext,
  provider: OidcProvider,
  person: Person,
  visitor: Visitor,
): Promise<Admitted | Refusal> => {
  const { db, clock, log } = context
  const admitted = await db.write(async (db) => {
    const lookup = await findUser(db, provider, person, clock())
    if ('failure' in lookup) return lookup
    return { ...lookup, session: await openSession(db, lookup.user.id, visitor, clock()) }
  })
  if ('failure' in admitted) return admitted
  const { user, session, isNew, keptAdmin } = admitted
  const events = { provider: provider.name, userId: user.id }
  if (isNew) log.info(events, 'Made a user for somebody a provider sent')
  if (keptAdmin) log.warn(events, 'The groups at the provider take a role away that the last administrator keeps')
  return { ...(await welcome(context, user, session)), provider: provider.name, isNew }
}

const landing = ({ redirectUri, returnTo }: BegunSignIn, basePath: string, outcome: Admitted | Refusal): Landing => {
  if ('failure' in outcome) {
    const page = redirectUri ?? `${basePath}/`
    return { location: `${page}${page.includes('?') ? '&' : '?'}error=${outcome.failure}` }
  }
  // The browser of an app is only on its way: it is not signed in here.
  if (redirectUri !== null) return { location: `${redirectUri}#${inFragment(outcome)}` }
  return { location: returnTo, cookie: outcome.cookie }
}

const inFragment = ({ signedIn, isNew, provider }: Admitted): string => {
  const content: OidcSignedIn = { ...signedIn, newAccount: isNew, provider }
  return Buffer.from(JSON.stringify(content)).toString('base64url')
}
