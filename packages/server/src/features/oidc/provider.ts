import type * as Client from 'openid-client'
import type { OidcProvider } from '../../config.ts'
import { AppError } from '../../platform/errors.ts'
import { type Claims, isPlain, type Person, personFrom } from './claims.ts'
import { limitedFetch } from './limited-fetch.ts'

const discoveryKeptMs = 60 * 60 * 1000
const waitSeconds = 10

/** A provider as it has described itself. */
export interface Connection {
  readonly provider: OidcProvider
  readonly client: typeof Client
  readonly configuration: Client.Configuration
}

export type Connect = (provider: OidcProvider) => Promise<Connection>

/** It asks a provider about itself when somebody first wants to sign in through it, and again after an hour. */
export const rememberConnections = (clock: () => Date): Connect => {
  const connections = new Map<string, { readonly until: number; readonly connection: Promise<Connection> }>()

  return (provider) => {
    const now = clock().getTime()
    const entry = connections.get(provider.name)
    if (entry && entry.until > now) return entry.connection
    const connection = discover(provider)
    connections.set(provider.name, { until: now + discoveryKeptMs, connection })
    connection.catch(() => connections.delete(provider.name))
    return connection
  }
}

const discover = async (provider: OidcProvider): Promise<Connection> => {
  const { issuer, clientId, clientSecret, displayName } = provider
  // Loaded when it is needed: whoever has no provider pays nothing for it.
  const client = await import('openid-client')
  try {
    const configuration = await client.discovery(
      issuer,
      clientId,
      clientSecret,
      clientAuthentication(client, provider),
      {
        timeout: waitSeconds,
        [client.customFetch]: limitedFetch,
        // The address itself is held to https by the configuration, and by limitedFetch.
        execute: [
          client.enableNonRepudiationChecks,
          ...(issuer.protocol === 'http:' ? [client.allowInsecureRequests] : []),
        ],
      },
    )
    return { provider, client, configuration }
  } catch (cause) {
    const message = `${displayName} does not answer as it should. Try again in a moment, or sign in with a password.`
    throw new AppError('unavailable', message, { cause: new Error(describeError(cause), { cause }) })
  }
}

/** The secret goes into the header unless the provider says that it accepts it only in the body. */
const clientAuthentication = (client: typeof Client, { clientSecret }: OidcProvider): Client.ClientAuth => {
  const basic = client.ClientSecretBasic(clientSecret)
  const post = client.ClientSecretPost(clientSecret)
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest)
  }
}

/** It proves, at the end, that the answer belongs to the question. */
export interface Proof {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
}

export const authorizationUrl = async (
  { provider, client, configuration }: Connection,
  callbackUrl: string,
  { state, nonce, codeVerifier }: Proof,
): Promise<string> =>
  client.buildAuthorizationUrl(configuration, {
    redirect_uri: callbackUrl,
    scope: provider.scopes.join(' '),
    response_type: 'code',
    code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: 'S256',
    state,
    nonce,
  }).href

/** It swaps the code for what the provider says about the person. */
export const fetchPerson = async (
  { provider, client, configuration }: Connection,
  currentUrl: URL,
  { state, nonce, codeVerifier }: Proof,
): Promise<Person> => {
  const tokens = await client.authorizationCodeGrant(configuration, currentUrl, {
    pkceCodeVerifier: codeVerifier,
    expectedState: state,
    expectedNonce: nonce,
    idTokenExpected: true,
  })
  const claims = tokens.claims()
  if (!claims || !isPlain(claims.sub)) throw new Error('The ID token says nobody')
  const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined
  const userInfo: Claims = hasUserInfo ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub) : {}
  return personFrom(claims, userInfo, provider)
}

/** Nothing that was sent may stand in the message: the causes of these errors carry codes and tokens. */
export const describeError = (error: unknown): string => {
  if (!(error instanceof Error)) return 'an unknown error'
  const { code, error: refusal, cause } = error as Error & { code?: unknown; error?: unknown }
  const below = cause instanceof Error ? [cause.message, (cause as NodeJS.ErrnoException).code] : []
  const parts = [error.message, code, refusal, ...below].filter((part) => typeof part === 'string')
  // The commonest mistake of all is a slash at the end of the issuer.
  const { expected, body } = (cause ?? {}) as { expected?: unknown; body?: { issuer?: unknown } }
  if (typeof body?.issuer === 'string') parts.push(`configured is ${String(expected)}, it says ${body.issuer}`)
  return printable([...new Set(parts.filter((part) => part !== ''))].join(': '))
}

/** It makes a stranger's text safe for a line of the log. */
export const printable = (text: string): string => text.replace(/\p{C}+/gu, ' ').slice(0, 500)

const awayCodes = ['OAUTH_TIMEOUT', 'OAUTH_ABORT']

/** It returns whether the provider did not answer at all, rather than give an answer that cannot be trusted. */
export const isAway = (error: unknown): boolean => {
  if (error instanceof AppError) return error.code === 'unavailable'
  const { code, status, cause } = error as { code?: string; status?: number; cause?: unknown }
  if (code !== undefined && awayCodes.includes(code)) return true
  if (status !== undefined) return status >= 500
  if (cause instanceof Response) return cause.status >= 500
  return error instanceof TypeError && error.message === 'fetch failed'
}
