import { plainRequest } from '../plain-request.ts'
import type { Person, TestServer } from '../start-server.ts'

interface CompatReply<Body> {
  readonly status: number
  readonly body: Body
}

/** One application signs in with a name and a password, and names itself. */
export interface CompatClient {
  get<Body>(path: string): Promise<CompatReply<Body>>
  post<Body>(path: string, body: unknown): Promise<CompatReply<Body>>
  send(method: string, path: string, body?: unknown): Promise<CompatReply<unknown>>
}

const laws = 'somebody-unknown/1.0'

export const compatClient = (
  { url }: Pick<TestServer, 'url'>,
  { username, password }: Pick<Person, 'username' | 'password'>,
  userAgent = laws,
): CompatClient => {
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const ask = async (method: string, path: string, body?: unknown) => {
    const { status, json } = await plainRequest(`${url}/komga/${path}`, {
      method,
      headers: { authorization, 'user-agent': userAgent },
      ...(body !== undefined && { body }),
    })
    return { status, body: json }
  }
  return {
    get: async <Body>(path: string) => (await ask('GET', path)) as CompatReply<Body>,
    post: async <Body>(path: string, body: unknown) => (await ask('POST', path, body)) as CompatReply<Body>,
    send: ask,
  }
}
