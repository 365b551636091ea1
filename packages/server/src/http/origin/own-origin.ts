import type { IncomingMessage } from 'node:http'
import type { BlockList } from 'node:net'
import { peerIsTrusted } from './client-address.ts'

/** The origin a browser sees us under: the configured one, else what the request was addressed to. */
export const ownOrigin = (request: IncomingMessage, publicUrl: URL | undefined, trusted: BlockList): string => {
  if (publicUrl) return publicUrl.origin
  const { headers } = request
  const forwarded = peerIsTrusted(request.socket, trusted) ? headers : {}
  const scheme = firstOf(forwarded['x-forwarded-proto']) === 'https' ? 'https' : 'http'
  const host = (firstOf(forwarded['x-forwarded-host']) ?? headers.host ?? '').toLowerCase()
  return `${scheme}://${host}${portBehind(host, scheme, firstOf(forwarded['x-forwarded-port']))}`
}

/** The port a proxy was asked at, where the name it was asked by has none. */
const portBehind = (host: string, scheme: 'http' | 'https', port: string | undefined): string => {
  if (port === undefined || !/^\d{1,5}$/.test(port) || /:\d+$/.test(host)) return ''
  return port === (scheme === 'https' ? '443' : '80') ? '' : `:${port}`
}

const firstOf = (header: string | string[] | undefined): string | undefined => header?.toString().split(',')[0]?.trim()

/** Whether a browser says that a page of another site sent this; applications that are none say nothing. */
export const isForeign = (request: IncomingMessage, own: string): boolean => {
  const { 'sec-fetch-site': site, origin } = request.headers
  if (site !== undefined) return site !== 'same-origin' && site !== 'none'
  return origin !== undefined && origin.toLowerCase() !== own
}

/** Whether a page of our own sent this; a browser cannot be made to say so by a foreign one. */
export const isSameOrigin = (request: IncomingMessage, own: string): boolean => {
  const { 'sec-fetch-site': site, origin } = request.headers
  // Browsers leave Sec-Fetch-Site out on plain http, and old ones always.
  if (site !== undefined) return site === 'same-origin'
  return origin !== undefined && origin.toLowerCase() === own
}
