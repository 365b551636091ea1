import { lookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isPublic } from '../platform/outbound.ts'

export interface HostAndPort {
  /** The host is written as in URLs, without brackets. */
  readonly host: string
  readonly port: number
}

/** It says where a plugin may connect. */
export interface Reach {
  /** The plugin may reach any public address, at the ports of the web. */
  readonly isPublic: boolean
  /** These besides, whatever address they have. */
  readonly hosts: readonly HostAndPort[]
}

/** It says why a plugin could not connect. */
export class Closed extends Error {
  override readonly name = 'Closed'
  /** It may not; otherwise it could not. */
  readonly isRefusal: boolean

  constructor(message: string, { isRefusal }: { readonly isRefusal: boolean }) {
    super(message)
    this.isRefusal = isRefusal
  }
}

/** The addresses of a name, asked of those who know all names, or the way this machine knows its neighbours. */
export interface Names {
  readonly ofEverybody: (host: string) => Promise<readonly string[]>
  readonly ofNeighbours: (host: string) => Promise<readonly string[]>
}

const webPorts: ReadonlySet<number> = new Set([80, 443])

/** Reads `host:port`; undefined: it is something else. */
export const parseHostAndPort = (text: string): HostAndPort | undefined => {
  const [, host = '', digits = ''] = /^(\[[0-9A-Fa-f:.]+\]|[^\s:/?#@\\[\]]+):(\d{1,5})$/.exec(text) ?? []
  const port = Number(digits)
  if (host === '' || port < 1 || port > 65_535 || !URL.canParse(`http://${host}`)) return undefined
  return { host: bare(new URL(`http://${host}`).hostname), port }
}

/** It removes the brackets of an address and the dot that may end a name. */
const bare = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')

/** The addresses are looked up once for each connection, which then goes to these and to no others. */
export const addressesOf = async (target: HostAndPort, reach: Reach, names: Names): Promise<readonly string[]> => {
  const isGranted = reach.hosts.some(({ host, port }) => host === target.host && port === target.port)
  if (!isGranted) requireUsual(target, reach)
  const addresses = isIP(target.host) === 0 ? await ask(target.host, isGranted, names) : [target.host]
  if (addresses.length === 0) throw new Closed('The address cannot be found.', { isRefusal: false })
  if (isGranted || addresses.every(isPublic)) return addresses
  throw new Closed('The address is one of a private network.', { isRefusal: true })
}

const requireUsual = ({ port }: HostAndPort, reach: Reach): void => {
  if (!reach.isPublic) throw new Closed('It has not been granted this address.', { isRefusal: true })
  if (!webPorts.has(port)) throw new Closed('Only the ports 80 and 443 may be reached.', { isRefusal: true })
}

const ask = async (host: string, isGranted: boolean, names: Names): Promise<readonly string[]> => {
  try {
    return await (isGranted ? names.ofNeighbours(host) : names.ofEverybody(host))
  } catch {
    return []
  }
}

const questionMs = 3000

/** Threads that a slow name server could hold are not spent on names that anybody may think up. */
export const askNames = (nameServers?: readonly string[]): Names => {
  const resolver = new Resolver({ timeout: questionMs, tries: 2, maxTimeout: questionMs })
  if (nameServers) resolver.setServers(nameServers)
  return {
    ofEverybody: async (host) => {
      const results = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
      return results.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
    },
    ofNeighbours: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  }
}
