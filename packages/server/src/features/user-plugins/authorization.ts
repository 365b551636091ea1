import type { PluginManifest } from '@carrel/plugin-sdk/protocol'
import { askOutbound, OutboundProblem, requireEncrypted } from '../../platform/outbound.ts'
import { sha256Base64 } from '../../platform/secrets/tokens.ts'

type OAuth = NonNullable<PluginManifest['oauth']>

/** The service where a plugin's users sign in, and as whom we come there. */
export interface Issuer {
  readonly oauth: OAuth
  readonly clientId: string
  readonly clientSecret: string | undefined
  readonly allowedHosts: readonly string[]
}

/** A service grants this. */
export interface Granted {
  readonly accessToken: string
  readonly refreshToken: string | undefined
  /** Undefined: it has not said. */
  readonly lifeSeconds: number | undefined
}

/** `refused`: it will not change its mind. Else it may be asked again later. Nothing that was sent or answered stands in it. */
export class IssuerProblem extends Error {
  override readonly name = 'IssuerProblem'
  readonly kind: 'refused' | 'away' | 'unusable'

  constructor(kind: IssuerProblem['kind'], message: string, options: ErrorOptions = {}) {
    super(message, options)
    this.kind = kind
  }
}

/** A problem of the address says so: nobody is led to one that is none. */
export const authorizationAddress = (
  { oauth, clientId, allowedHosts }: Issuer,
  { state, verifier, redirectUri }: { readonly state: string; readonly verifier: string; readonly redirectUri: string },
): string => {
  const url = requireEncrypted(oauth.authorizationUrl, allowedHosts)
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    state,
    ...(oauth.scopes && oauth.scopes.length > 0 && { scope: oauth.scopes.join(' ') }),
    ...(hasPkce(oauth) && { code_challenge: sha256Base64(verifier), code_challenge_method: 'S256' }),
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

const hasPkce = ({ pkce }: OAuth): boolean => pkce !== false

interface Code {
  readonly code: string
  readonly verifier: string
  readonly redirectUri: string
}

export const exchangeCode = (
  issuer: Issuer,
  { code, verifier, redirectUri }: Code,
  signal: AbortSignal,
): Promise<Granted> =>
  askForTokens(
    issuer,
    {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      ...(hasPkce(issuer.oauth) && { code_verifier: verifier }),
    },
    signal,
  )

export const refreshTokens = (issuer: Issuer, refreshToken: string, signal: AbortSignal): Promise<Granted> =>
  askForTokens(issuer, { grant_type: 'refresh_token', refresh_token: refreshToken }, signal)

type Form = Readonly<Record<string, string>>

const answerBytesMax = 256 * 1024
const timing = { firstByteMs: 10_000, totalMs: 15_000 }

/** The secret goes into the body, as most take it; where that is refused, into the header. */
const askForTokens = async (issuer: Issuer, form: Form, signal: AbortSignal): Promise<Granted> => {
  const { clientId, clientSecret } = issuer
  const inBody = { ...form, client_id: clientId, ...(clientSecret !== undefined && { client_secret: clientSecret }) }
  const first = await postForm(issuer, inBody, { signal })
  const isClientRefused = first.status === 401 || wordOf(first.body, 'error') === 'invalid_client'
  if (!isClientRefused || clientSecret === undefined) return grantedIn(first)
  const credentials = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`
  return grantedIn(await postForm(issuer, form, { signal, authorization }))
}

interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

const postForm = async (
  { oauth, allowedHosts }: Issuer,
  form: Form,
  { signal, authorization }: { readonly signal: AbortSignal; readonly authorization?: string },
): Promise<Answer> => {
  try {
    const { status, bytes } = await askOutbound({
      method: 'POST',
      url: oauth.tokenUrl,
      allowedHosts,
      accept: 'application/json',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        ...(authorization !== undefined && { authorization }),
      },
      body: new URLSearchParams(form).toString(),
      bytesMax: answerBytesMax,
      signal,
      timing,
    })
    return { status, body: objectIn(bytes) }
  } catch (error) {
    if (error instanceof OutboundProblem) throw new IssuerProblem('away', error.message, { cause: error })
    throw error
  }
}

const objectIn = (bytes: Buffer): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // An unreadable body counts as an empty one.
  }
  return {}
}

const wordOf = (body: Answer['body'], name: string): string | undefined => {
  const value = Object.hasOwn(body, name) ? body[name] : undefined
  return typeof value === 'string' ? value : undefined
}

const tokenPattern = /^[\x21-\x7e]{1,16384}$/
const lifeSecondsMax = 10 * 365 * 24 * 60 * 60

const grantedIn = ({ status, body }: Answer): Granted => {
  if (status >= 500 || status === 429 || status === 408)
    throw new IssuerProblem('away', `The service answers with ${status}.`)
  if (status !== 200 && status !== 201) throw new IssuerProblem('refused', refusalIn(status, wordOf(body, 'error')))
  const accessToken = tokenIn(body, 'access_token')
  // Some refuse with a 200.
  if (accessToken === undefined && wordOf(body, 'error') !== undefined)
    throw new IssuerProblem('refused', refusalIn(status, wordOf(body, 'error')))
  if (accessToken === undefined) throw new IssuerProblem('unusable', 'The service answers with no token.')
  const seconds = Number(body['expires_in'])
  return {
    accessToken,
    refreshToken: tokenIn(body, 'refresh_token'),
    lifeSeconds: seconds > 0 ? Math.min(seconds, lifeSecondsMax) : undefined,
  }
}

const tokenIn = (body: Answer['body'], name: string): string | undefined => {
  const token = wordOf(body, name)
  return token !== undefined && tokenPattern.test(token) ? token : undefined
}

/** Only a word that cannot be a secret is repeated. */
const refusalIn = (status: number, error: string | undefined): string =>
  error !== undefined && /^[a-z_]{1,40}$/.test(error)
    ? `The service refuses: ${error}.`
    : `The service answers with ${status}.`

export interface Person {
  readonly username: string | null
  readonly avatarUrl: string | null
}

export const nobody: Person = { username: null, avatarUrl: null }

const personTiming = { firstByteMs: 5000, totalMs: 5000 }
const nameWords = [
  'preferred_username',
  'username',
  'login',
  'nickname',
  'display_name',
  'displayName',
  'name',
] as const
const pictureWords = ['picture', 'avatar_url', 'avatarUrl', 'avatar'] as const

/**
 * It reads the account at the service, as far as the service names it in one of the usual ways. A missing name does no
 * harm.
 */
export const readPerson = async (
  { oauth, allowedHosts }: Pick<Issuer, 'oauth' | 'allowedHosts'>,
  accessToken: string,
  signal: AbortSignal,
): Promise<Person> => {
  if (oauth.userInfoUrl == null) return nobody
  try {
    const { status, bytes } = await askOutbound({
      method: 'GET',
      url: oauth.userInfoUrl,
      allowedHosts,
      accept: 'application/json',
      headers: { authorization: `Bearer ${accessToken}` },
      bytesMax: answerBytesMax,
      signal,
      timing: personTiming,
    })
    return status === 200 ? personIn(objectIn(bytes)) : nobody
  } catch (error) {
    if (error instanceof OutboundProblem) return nobody
    throw error
  }
}

const personIn = (body: Answer['body']): Person => {
  // Some put it one step deeper.
  const inside = ['data', 'user'].map((name) => body[name]).find((value) => typeof value === 'object' && value !== null)
  const account = { ...(inside as Record<string, unknown> | undefined), ...body }
  const names = nameWords.map((word) => wordOf(account, word)?.trim() ?? '')
  const pictures = pictureWords.map((word) => wordOf(account, word) ?? '')
  return {
    username: names.find((name) => /^[^\p{C}]{1,200}$/u.test(name)) ?? null,
    avatarUrl: pictures.find((url) => /^https:\/\/[!-~]{1,2000}$/.test(url) && URL.canParse(url)) ?? null,
  }
}
