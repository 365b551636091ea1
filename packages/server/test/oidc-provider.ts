import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import { Provider, type RequestContext } from 'oidc-provider'

/** A test names the account to sign in with this header, in place of a form. */
export const accountHeader = 'x-test-account'
export const clientSecret = 'a secret between the provider and us'

/** An operator would set up one provider named main like this. */
export const settingsFor = (issuer: string, more: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  CARREL_PUBLIC_URL: publicUrl,
  CARREL_OIDC_PROVIDERS: 'main',
  CARREL_OIDC_MAIN_ISSUER: issuer,
  CARREL_OIDC_MAIN_CLIENT_ID: 'carrel',
  CARREL_OIDC_MAIN_CLIENT_SECRET: clientSecret,
  ...more,
})

/** The address under which browsers see the server, whichever node answers. */
export const publicUrl = 'http://carrel.test'
export const callbackUrl = (provider: string): string => `${publicUrl}/api/v1/auth/oidc/${provider}/callback`

export type AccountClaims = Readonly<Record<string, unknown>>

export interface TestProvider {
  readonly issuer: string
  /** It holds the claims of each account, by subject. An account that is missing here has no claims but the subject. */
  readonly accounts: Map<string, AccountClaims>
  /** Every request it got. */
  readonly requests: readonly string[]
  stop(): Promise<void>
  startAgain(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

interface ProviderOptions {
  readonly claimsInToken?: boolean
  readonly accessSeconds?: number
  /** It is the account of a browser that names none, because it cannot. */
  readonly signOn?: string
}

/** A certified implementation on a loopback port, which asks nobody anything. */
export const startProvider = async (
  redirectUris: readonly string[] = [callbackUrl('main')],
  { claimsInToken = true, accessSeconds = 600, signOn }: ProviderOptions = {},
): Promise<TestProvider> => {
  const accounts = new Map<string, AccountClaims>()
  const requests: string[] = []
  let answer: (request: IncomingMessage, response: ServerResponse) => void = () => undefined
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    answer(request, response)
  })
  const listen = (port: number): Promise<void> =>
    new Promise((resolve) => void server.listen(port, '127.0.0.1', () => resolve()))
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  await listen(0)
  const { port } = server.address() as AddressInfo
  const issuer = `http://127.0.0.1:${port}`
  const provider = new Provider(issuer, {
    ...(await configuration(accounts, redirectUris, accessSeconds)),
    // Providers put claims where they like: into the ID token too, or only where the access token leads.
    conformIdTokenClaims: !claimsInToken,
  })
  const speak = provider.callback()
  answer = (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return speak(request, response)
    const accountId = request.headers[accountHeader]?.toString() ?? signOn
    const result = accountId === undefined ? { error: 'access_denied' } : { login: { accountId } }
    void provider.interactionFinished(request, response, result)
  }
  return {
    issuer,
    accounts,
    requests,
    stop,
    startAgain: () => listen(port),
    [Symbol.asyncDispose]: stop,
  }
}

const keyPair = generateKeyPair('RS256', { extractable: true })

const configuration = async (
  accounts: Map<string, AccountClaims>,
  redirectUris: readonly string[],
  accessSeconds: number,
) => {
  const { privateKey } = await keyPair
  return {
    clients: [
      {
        client_id: 'carrel',
        client_secret: clientSecret,
        redirect_uris: redirectUris,
        grant_types: ['authorization_code', 'refresh_token'],
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), use: 'sig', alg: 'RS256', kid: 'one' }] },
    cookies: { keys: ['for tests'] },
    pkce: { required: () => true },
    claims: {
      openid: ['sub'],
      profile: ['preferred_username', 'picture', 'groups', 'realm_access'],
      email: ['email', 'email_verified'],
    },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    // Every client that may have one gets a refresh token, which can be used once.
    issueRefreshToken: (_: unknown, client: { grantTypeAllowed(type: string): boolean }) =>
      client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    ttl: {
      AccessToken: accessSeconds,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      RefreshToken: 600,
      Session: 600,
    },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ ...accounts.get(id), sub: id }),
    }),
    loadExistingGrant: async ({ oidc: { provider, client, session } }: RequestContext) => {
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId })
      grant.addOIDCScope('openid profile email')
      await grant.save()
      return grant
    },
  }
}
