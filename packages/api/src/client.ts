import type { Endpoint } from './endpoint.ts'
import type { ErrorReply, RateLimitReply } from './errors.ts'
import { statusOf } from './status.ts'

export type Outcome<Reply> =
  | { readonly ok: true; readonly status: number; readonly headers: Headers; readonly body: Reply }
  | {
      readonly ok: false
      readonly status: number
      readonly headers: Headers
      readonly error: ErrorReply | RateLimitReply
    }

export interface ClientOptions {
  /** It is the address of the server, with its base path and without a slash at the end. */
  readonly baseUrl: string
  readonly headers?: Readonly<Record<string, string>>
  readonly fetch?: typeof fetch
}

export interface CallOptions {
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

export type Client = <Input, Reply, Answer>(
  endpoint: Endpoint<Input, Reply, Answer>,
  input: NoInfer<Input>,
  options?: CallOptions,
) => Promise<Outcome<Reply>>

/**
 * It calls endpoints of the contract: the web app, the command line and the tests use this and never write an address.
 */
export const createClient = ({ baseUrl, headers, fetch = globalThis.fetch }: ClientOptions): Client => {
  return async <Input, Reply, Answer>(
    endpoint: Endpoint<Input, Reply, Answer>,
    input: NoInfer<Input>,
    options: CallOptions = {},
  ): Promise<Outcome<Reply>> => {
    const { body } = input as { body?: unknown }
    const response = await fetch(baseUrl + addressOf(endpoint, input), {
      method: endpoint.method,
      headers: { ...(body !== undefined && { 'content-type': mediaTypeOf(body) }), ...headers, ...options.headers },
      ...(body !== undefined && { body: body instanceof Uint8Array ? plainBytes(body) : JSON.stringify(body) }),
      ...(options.signal && { signal: options.signal }),
      redirect: 'manual',
    })
    const text = await response.text()
    const isJson = /^application\/(\w+\+)?json/.test(response.headers.get('content-type') ?? '')
    const content: unknown = text === '' ? undefined : isJson ? JSON.parse(text) : text
    const { status, headers: received } = response
    return response.ok || status === statusOf(endpoint)
      ? { ok: true, status, headers: received, body: content as Reply }
      : { ok: false, status, headers: received, error: content as ErrorReply | RateLimitReply }
  }
}

const mediaTypeOf = (body: unknown): string =>
  body instanceof Uint8Array ? 'application/octet-stream' : 'application/json'

/** `fetch` takes no memory that is shared with others. */
const plainBytes = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes)

/** Path and query of a call, parameters filled in. */
export const addressOf = <Input, Reply, Answer>(
  { path }: Endpoint<Input, Reply, Answer>,
  input: NoInfer<Input>,
): string => {
  const { params = {}, query = {} } = input as {
    params?: Record<string, string>
    query?: Record<string, string | number | boolean | undefined>
  }
  const all: Record<string, string> = { prefix: 'komga', ...params }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(all[name] ?? ''))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.append(name, String(value))
  return search.size > 0 ? `${filled}?${search.toString()}` : filled
}
