import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface OAuthIssuer extends AsyncDisposable {
  readonly origin: string
  /** It goes into the manifest of a plugin. */
  readonly oauth: { readonly authorizationUrl: string; readonly tokenUrl: string; readonly userInfoUrl: string }
  /** The token endpoint has received these requests, the latest last. */
  readonly tokenRequests: readonly URLSearchParams[]
  /** It replaces the usual answer; undefined restores that. */
  answer: ((form: URLSearchParams, response: ServerResponse) => boolean) | undefined
}

/** It is a service for tests that lets everybody in, numbers its tokens, and does as it is told. */
export const startOAuthIssuer = async ({
  lifeSeconds,
  canRefresh = true,
}: {
  readonly lifeSeconds?: number
  readonly canRefresh?: boolean
} = {}): Promise<OAuthIssuer> => {
  const tokenRequests: URLSearchParams[] = []
  const service = { answer: undefined as OAuthIssuer['answer'] }
  let handedOut = 0
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://service.invalid')
    if (url.pathname === '/authorize') return authorize(url, response)
    if (url.pathname === '/me') return sendJson(response, 200, { data: { name: 'Ana of the service' } })
    void textOf(request).then((text) => issue(new URLSearchParams(text), response))
  })
  const issue = (form: URLSearchParams, response: ServerResponse): void => {
    tokenRequests.push(form)
    if (service.answer?.(form, response)) return
    handedOut += 1
    sendJson(response, 200, {
      access_token: `access-number-${handedOut}`,
      token_type: 'bearer',
      ...(canRefresh && { refresh_token: `refresh-number-${handedOut}` }),
      ...(lifeSeconds !== undefined && { expires_in: lifeSeconds }),
    })
  }
  await new Promise<void>((settle) => void server.listen(0, '127.0.0.1', settle))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(service, {
    origin,
    oauth: { authorizationUrl: `${origin}/authorize`, tokenUrl: `${origin}/token`, userInfoUrl: `${origin}/me` },
    tokenRequests,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((settle) => {
        server.close(() => settle())
        server.closeAllConnections()
      }),
  })
}

const authorize = (url: URL, response: ServerResponse): void => {
  const { redirect_uri: back = '', state = '' } = Object.fromEntries(url.searchParams)
  response.writeHead(303, { location: `${back}?${new URLSearchParams({ state, code: 'a-code' }).toString()}` }).end()
}

export const sendJson = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

type Answer = NonNullable<OAuthIssuer['answer']>

export const answers =
  (status: number, body: unknown): Answer =>
  (_, response) => {
    sendJson(response, status, body)
    return true
  }

/** An answer with a location is a redirect. */
export const answersText =
  (text: string, headers: { readonly location?: string } = {}): Answer =>
  (_, response) => {
    response.writeHead('location' in headers ? 307 : 200, headers).end(text)
    return true
  }

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
