import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'

export interface HostileBehaviour {
  /** It changes what it says about itself. */
  readonly metadata?: (own: Record<string, unknown>) => Record<string, unknown>
  /** It changes what it sends the browser back with. */
  readonly answer?: (own: URLSearchParams) => void
  readonly claims?: (own: Record<string, unknown>) => Record<string, unknown>
  /** Signs in another way than with its key. */
  readonly sign?: (claims: Record<string, unknown>, honest: () => Promise<string>) => Promise<string> | string
  readonly keys?: () => unknown
  readonly userInfo?: () => Record<string, unknown>
  readonly token?: (response: ServerResponse) => boolean
}

export interface HostileIssuer {
  readonly issuer: string
  /** The latest it handed out. */
  idToken(): string
  /** The token endpoint has received these requests, the latest first. */
  readonly tokenRequests: readonly URLSearchParams[]
  [Symbol.asyncDispose](): Promise<void>
}

/** It is a provider for tests, which signs everybody in as `mallory` and lies as configured. */
export const startHostileIssuer = async (behaviour: HostileBehaviour = {}): Promise<HostileIssuer> => {
  const { privateKey, publicKey } = await keyPair
  const nonces = new Map<string, string>()
  const tokenRequests: URLSearchParams[] = []
  let idToken = ''
  let issuer = ''

  const authorize = (url: URL, response: ServerResponse): void => {
    const { state = '', nonce = '', redirect_uri: back = '' } = Object.fromEntries(url.searchParams)
    const code = `code-${nonces.size + 1}`
    nonces.set(code, nonce)
    const answer = new URLSearchParams({ code, state, iss: issuer })
    behaviour.answer?.(answer)
    response.writeHead(303, { location: `${back}?${answer.toString()}` }).end()
  }
  const issue = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const parameters = new URLSearchParams(await textOf(request))
    tokenRequests.unshift(parameters)
    if (behaviour.token?.(response)) return
    const now = Math.floor(Date.now() / 1000)
    const nonce = nonces.get(parameters.get('code') ?? '')
    const own = { iss: issuer, aud: 'carrel', sub: 'mallory', iat: now, exp: now + 300, nonce }
    const claims = behaviour.claims?.(own) ?? own
    const honest = () => new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(privateKey)
    idToken = (await behaviour.sign?.(claims, honest)) ?? (await honest())
    sendJson(response, { access_token: 'for nothing', token_type: 'Bearer', expires_in: 300, id_token: idToken })
  }
  const describe = (): Record<string, unknown> => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
    authorization_response_iss_parameter_supported: true,
    ...(behaviour.userInfo && { userinfo_endpoint: `${issuer}/userinfo` }),
  })
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', issuer)
    if (url.pathname === '/authorize') authorize(url, response)
    else if (url.pathname === '/token') void issue(request, response)
    else if (url.pathname === '/userinfo') sendJson(response, behaviour.userInfo?.())
    else if (url.pathname === '/jwks') {
      void exportJWK(publicKey).then((key) =>
        sendJson(response, behaviour.keys?.() ?? { keys: [{ ...key, kid: 'one', alg: 'RS256', use: 'sig' }] }),
      )
    } else sendJson(response, behaviour.metadata?.(describe()) ?? describe())
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    issuer,
    tokenRequests,
    idToken: () => idToken,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const keyPair = generateKeyPair('RS256', { extractable: true })

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

const sendJson = (response: ServerResponse, content: unknown): void => {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(content))
}
