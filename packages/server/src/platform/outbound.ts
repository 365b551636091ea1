import { lookup as resolve } from 'node:dns'
import { request as plainRequest } from 'node:http'
import { request as encryptedRequest, type RequestOptions } from 'node:https'
import { BlockList, isIP, isIPv6, type LookupFunction } from 'node:net'

/**
 * It says why nothing was sent, or why the request failed. The message names no address: whoever reads it may not know
 * it.
 */
export class OutboundProblem extends Error {
  override readonly name = 'OutboundProblem'
}

export interface Outbound {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Hosts that may be reached whatever address they have, at any port. */
  readonly allowedHosts: readonly string[]
  readonly signal: AbortSignal
  readonly timing?: Partial<OutboundTiming>
}

interface OutboundTiming {
  readonly firstByteMs: number
  readonly totalMs: number
}

const usualTiming: OutboundTiming = { firstByteMs: 10_000, totalMs: 30_000 }
const redirectsMax = 3
/** A GET also follows 303, which says that the answer lies elsewhere. */
const redirectsOfGet: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
/** The answer is limited to this; nobody reads it. */
const answerBytesMax = 64 * 1024
/** The same request again, somewhere else. */
const redirects: ReadonlySet<number> = new Set([301, 302, 307, 308])

/**
 * It posts to an address that somebody has chosen, who may not be let into our own network: each address a name stands
 * for is looked at where the connection is made, so that no second answer of a name server can be another one; the same
 * for each redirect. It returns the status.
 */
export const postOutbound = async (outbound: Outbound): Promise<number> => {
  const { firstByteMs, totalMs } = { ...usualTiming, ...outbound.timing }
  const signal = AbortSignal.any([outbound.signal, AbortSignal.timeout(totalMs)])
  let url = requireReachable(outbound.url, outbound.allowedHosts)
  for (let hops = 0; hops <= redirectsMax; hops += 1) {
    const { status, location } = await postOnce(url, { ...outbound, signal, firstByteMs })
    if (!redirects.has(status) || location === undefined) return status
    const next = requireReachable(location, outbound.allowedHosts, url)
    if (url.protocol === 'https:' && next.protocol !== 'https:')
      throw new OutboundProblem('The address leads on to one that is not encrypted.')
    url = next
  }
  throw new OutboundProblem(`The address leads on to another one more than ${redirectsMax} times.`)
}

export interface OutboundGet extends Pick<Outbound, 'url' | 'allowedHosts' | 'signal' | 'timing'> {
  readonly accept: string
  /** The answer is limited to this; a larger one is not read to its end. */
  readonly bytesMax: number
}

/** It gets what lies at such an address, as carefully. */
export const getOutbound = async (outbound: OutboundGet): Promise<{ status: number; type: string; bytes: Buffer }> => {
  const { firstByteMs, totalMs } = { ...usualTiming, ...outbound.timing }
  const signal = AbortSignal.any([outbound.signal, AbortSignal.timeout(totalMs)])
  const headers = { accept: outbound.accept, 'user-agent': 'Carrel' }
  let url = requireReachable(outbound.url, outbound.allowedHosts)
  for (let hops = 0; hops <= redirectsMax; hops += 1) {
    const { status, location, type, bytes } = await getOnce(url, { ...outbound, headers, signal, firstByteMs })
    if (!redirectsOfGet.has(status) || location === undefined) return { status, type, bytes }
    const next = requireReachable(location, outbound.allowedHosts, url)
    if (url.protocol === 'https:' && next.protocol !== 'https:')
      throw new OutboundProblem('The address leads on to one that is not encrypted.')
    url = next
  }
  throw new OutboundProblem(`The address leads on to another one more than ${redirectsMax} times.`)
}

export interface OutboundQuestion extends OutboundGet {
  readonly method: 'GET' | 'POST'
  /** These come on top of the headers that say what may come back. */
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/**
 * It sends a request with a secret in it, as carefully, and follows no redirect: whoever the address leads on to has no
 * part in it. Encrypted, but to hosts that may be reached in any case.
 */
export const askOutbound = async (outbound: OutboundQuestion): Promise<{ status: number; bytes: Buffer }> => {
  const { firstByteMs, totalMs } = { ...usualTiming, ...outbound.timing }
  const url = requireEncrypted(outbound.url, outbound.allowedHosts)
  const { status, bytes } = await getOnce(url, {
    ...outbound,
    signal: AbortSignal.any([outbound.signal, AbortSignal.timeout(totalMs)]),
    firstByteMs,
    headers: { ...outbound.headers, accept: outbound.accept, 'user-agent': 'Carrel' },
  })
  return { status, bytes }
}

/** The same for an address that may only be asked with https. */
export const requireEncrypted = (text: string, allowedHosts: readonly string[]): URL => {
  const url = requireReachable(text, allowedHosts)
  if (url.protocol === 'https:' || isAllowed(url, allowedHosts)) return url
  throw new OutboundProblem('The address must begin with https://.')
}

/** An address that may be asked at all, as far as can be seen before its name is looked up. */
export const requireReachable = (text: string, allowedHosts: readonly string[], base?: URL): URL => {
  if (!URL.canParse(text, base?.href)) throw new OutboundProblem('The address is not a valid one.')
  const url = new URL(text, base?.href)
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new OutboundProblem('The address must begin with https:// or http://.')
  if (url.username !== '' || url.password !== '')
    throw new OutboundProblem('The address must not hold a user name or password.')
  if (isAllowed(url, allowedHosts)) return url
  if (url.port !== '') throw new OutboundProblem('Only the ports 80 and 443 may be reached.')
  const host = bare(url.hostname)
  if (isIP(host) !== 0 && !isPublic(host)) throw new OutboundProblem(isPrivateMessage)
  return url
}

const isPrivateMessage = 'The address is one of a private network.'

const isAllowed = ({ hostname }: URL, allowedHosts: readonly string[]): boolean =>
  allowedHosts.some((host) => host.toLowerCase() === bare(hostname))

/** It removes the brackets of an address and the dot that may end a name. */
const bare = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')

const notPublic = new BlockList()
for (const range of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]) {
  const [network = '', bits] = range.split('/')
  notPublic.addSubnet(network, Number(bits), 'ipv4')
}
/** It lists the assigned addresses of IPv6, without those that stand for addresses of IPv4 or for nothing. */
const handedOut = new BlockList()
handedOut.addSubnet('2000::', 3, 'ipv6')
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  notPublic.addSubnet(network, bits, 'ipv6')

export const isPublic = (address: string): boolean => {
  if (address.includes('%')) return false
  if (!isIPv6(address)) return isIP(address) === 4 && !notPublic.check(address, 'ipv4')
  return handedOut.check(address, 'ipv6') && !notPublic.check(address, 'ipv6')
}

/** It looks a name up as usual, and refuses it as soon as one of its addresses is not public. */
const publicOnly: LookupFunction = (hostname, options, answer) => {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? []
    if (error || !first) return answer(error ?? new OutboundProblem('The address cannot be found.'), '', 4)
    if (!addresses.every(({ address }) => isPublic(address)))
      return answer(new OutboundProblem(isPrivateMessage), '', 4)
    return options.all ? answer(null, addresses) : answer(null, first.address, first.family)
  })
}

interface Hop extends Pick<Outbound, 'headers' | 'body' | 'allowedHosts' | 'signal'> {
  readonly firstByteMs: number
}

const postOnce = (
  url: URL,
  { headers, body, allowedHosts, signal, firstByteMs }: Hop,
): Promise<{ status: number; location: string | undefined }> => {
  const options: RequestOptions = {
    method: 'POST',
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    // A connection of its own, which nobody has opened before.
    agent: false,
    signal,
    maxHeaderSize: 16 * 1024,
    ...(!isAllowed(url, allowedHosts) && { lookup: publicOnly }),
  }
  return new Promise((settle, fail) => {
    const request = (url.protocol === 'https:' ? encryptedRequest : plainRequest)(url, options)
    const late = setTimeout(() => request.destroy(new OutboundProblem('The address does not answer.')), firstByteMs)
    request.once('error', (error) => {
      clearTimeout(late)
      fail(error instanceof OutboundProblem ? error : new OutboundProblem(messageOf(error, signal)))
    })
    request.once('response', (response) => {
      clearTimeout(late)
      const done = () => {
        response.destroy()
        settle({ status: response.statusCode ?? 0, location: response.headers.location })
      }
      let size = 0
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > answerBytesMax) done()
      })
      response.once('end', done)
      response.once('error', (error) => fail(new OutboundProblem(messageOf(error, signal))))
    })
    request.end(body)
  })
}

interface GetHop extends Pick<Hop, 'headers' | 'allowedHosts' | 'signal' | 'firstByteMs'> {
  readonly bytesMax: number
  readonly method?: 'GET' | 'POST'
  readonly body?: string
}

interface Got {
  readonly status: number
  readonly location: string | undefined
  readonly type: string
  readonly bytes: Buffer
}

const getOnce = (url: URL, hop: GetHop): Promise<Got> => {
  const { method = 'GET', headers, body, allowedHosts, signal, firstByteMs, bytesMax } = hop
  const options: RequestOptions = {
    method,
    headers: body === undefined ? headers : { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    agent: false,
    signal,
    maxHeaderSize: 16 * 1024,
    ...(!isAllowed(url, allowedHosts) && { lookup: publicOnly }),
  }
  return new Promise((settle, fail) => {
    const request = (url.protocol === 'https:' ? encryptedRequest : plainRequest)(url, options)
    const refuse = (error: Error) => {
      clearTimeout(late)
      request.destroy()
      fail(error instanceof OutboundProblem ? error : new OutboundProblem(messageOf(error, signal)))
    }
    const late = setTimeout(() => refuse(new OutboundProblem('The address does not answer.')), firstByteMs)
    request.once('error', refuse)
    request.once('response', (response) => {
      clearTimeout(late)
      const chunks: Buffer[] = []
      let size = 0
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > bytesMax) refuse(new OutboundProblem(`There are more than ${bytesMax} bytes at the address.`))
        else chunks.push(chunk)
      })
      response.once('error', refuse)
      response.once('aborted', () => refuse(new OutboundProblem('The address broke off.')))
      response.once('end', () => {
        const { location, 'content-type': type = '' } = response.headers
        settle({ status: response.statusCode ?? 0, location, type, bytes: Buffer.concat(chunks) })
      })
    })
    request.end(body)
  })
}

const messageOf = (error: Error, signal: AbortSignal): string => {
  const { code = '' } = error as { code?: string }
  if (signal.aborted) return 'The address takes too long to answer.'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'The address cannot be found.'
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code)) return 'The certificate of the address is not valid.'
  return 'The address cannot be reached.'
}
