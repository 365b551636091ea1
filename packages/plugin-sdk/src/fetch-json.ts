import { PluginError } from './plugin-error.ts'

export interface FetchOptions {
  /** The signal is that of the call: nobody waits for an answer when the call is over. */
  readonly signal: AbortSignal
  readonly headers?: Readonly<Record<string, string>>
  /** The limit covers the whole request, redirects included. */
  readonly timeoutMs?: number
  readonly bytesMax?: number
}

const redirectsMax = 3
const retryAfterDefaultSeconds = 60
const retryAfterMaxSeconds = 86_400

/**
 * It asks a service for JSON. Failures become errors of the protocol: too many requests, refused, not found, out of
 * reach, too slow, too large, not JSON. Redirects are followed within the service and nowhere else.
 */
export const fetchJson = async (
  url: URL,
  { signal, headers = {}, timeoutMs = 10_000, bytesMax = 4_194_304 }: FetchOptions,
): Promise<unknown> => {
  const tooSlow = AbortSignal.timeout(timeoutMs)
  try {
    const response = await follow(url, { accept: 'application/json', ...headers }, AbortSignal.any([signal, tooSlow]))
    refuse(response, url)
    return await readJson(response, url, bytesMax)
  } catch (error) {
    if (error instanceof PluginError) throw error
    const why = tooSlow.aborted ? `did not answer within ${timeoutMs} ms` : `cannot be reached (${codeOf(error)})`
    throw new PluginError('api_error', `${url.host} ${why}.`, undefined, { cause: error })
  }
}

const codeOf = (error: unknown): string => {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  if (typeof cause === 'object' && cause !== null && 'code' in cause) return String(cause.code)
  return cause instanceof Error ? cause.message : String(cause)
}

const follow = async (
  start: URL,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Response> => {
  let url = start
  for (let redirects = 0; redirects <= redirectsMax; redirects += 1) {
    const response = await fetch(url, { headers, signal, redirect: 'manual' })
    const location = response.headers.get('location')
    if (response.status < 300 || response.status >= 400 || location === null) return response
    await response.body?.cancel()
    url = new URL(location, url)
    if (url.origin !== start.origin) {
      throw new PluginError('api_error', `${start.host} sends on to ${url.host}, which is not followed.`)
    }
  }
  throw new PluginError('api_error', `${start.host} sends on and on.`)
}

const refuse = ({ status, headers, ok }: Response, { host, pathname }: URL): void => {
  if (ok) return
  if (status === 404 || status === 410) throw new PluginError('not_found', `${host} has no ${pathname}.`)
  if (status === 401 || status === 403) throw new PluginError('auth_failed', `${host} refuses the request (${status}).`)
  if (status === 429 || (status === 503 && headers.has('retry-after'))) {
    const retryAfterSeconds = secondsIn(headers.get('retry-after'))
    throw new PluginError('rate_limited', `${host} wants fewer requests.`, { retryAfterSeconds })
  }
  throw new PluginError('api_error', `${host} answers ${status}.`)
}

/** Seconds, or a date. */
const secondsIn = (retryAfter: string | null): number => {
  const text = retryAfter?.trim() ?? ''
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - Date.now()) / 1_000)
  return Number.isNaN(seconds) ? retryAfterDefaultSeconds : Math.min(retryAfterMaxSeconds, Math.max(1, seconds))
}

const readJson = async (response: Response, { host }: URL, bytesMax: number): Promise<unknown> => {
  const type = response.headers.get('content-type') ?? 'nothing that says what it is'
  if (!/^application\/(.+\+)?json\b/i.test(type)) {
    await response.body?.cancel()
    throw new PluginError('api_error', `${host} answers with ${type.split(';')[0]} instead of JSON.`)
  }
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of response.body ?? []) {
    bytes += part.length
    if (bytes > bytesMax) throw new PluginError('api_error', `${host} answers with more than ${bytesMax} bytes.`)
    parts.push(part)
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8')) as unknown
  } catch {
    throw new PluginError('api_error', `${host} answers with JSON that is broken.`)
  }
}
