import type { IncomingHttpHeaders } from 'node:http'
import { type PlainReply, plainRequest } from './plain-request.ts'

/** An application made for Komga: what it sends of itself each time, and the cookies it keeps. */
export interface CompatApp {
  readonly cookies: Map<string, string>
  send(path: string, options?: Sent): Promise<PlainReply>
}

interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

interface Kind {
  readonly headers?: Readonly<Record<string, string>>
  readonly keepsCookies?: boolean
  readonly prefix?: string
}

export const compatApp = (
  serverUrl: string,
  { headers = {}, keepsCookies = true, prefix = 'komga' }: Kind = {},
): CompatApp => {
  const cookies = new Map<string, string>()
  const keep = (received: IncomingHttpHeaders): void => {
    for (const each of received['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
  }
  return {
    cookies,
    send: async (path, { method, headers: more, body } = {}) => {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const payload = body === undefined ? undefined : JSON.stringify(body)
      const reply = await plainRequest(`${serverUrl}/${prefix}${path}`, {
        ...(method !== undefined && { method }),
        headers: {
          ...headers,
          ...(cookie !== '' && { cookie }),
          // Node leaves it out where a body is rare.
          ...(payload !== undefined && { 'content-length': String(Buffer.byteLength(payload)) }),
          ...more,
        },
        ...(payload !== undefined && { body: payload }),
      })
      if (keepsCookies) keep(reply.headers)
      return reply
    },
  }
}

export const basic = (name: string, password: string): { authorization: string } => ({
  authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
})
