import type { IncomingMessage } from 'node:http'
import { type BlockList, isIP } from 'node:net'

export const forwardingHeaders = ['forwarded', 'via', 'x-real-ip'] as const

/**
 * The address a request comes from. `X-Forwarded-For` is believed from right to left, as far as the hops are our own
 * proxies: what stands further left anybody may have written.
 */
export const clientAddress = (request: IncomingMessage, trusted: BlockList): string => {
  let address = plainAddress(request.socket.remoteAddress ?? '')
  const hops = String(request.headers['x-forwarded-for'] ?? '').split(',')
  while (isTrusted(address, trusted) && hops.length > 0) {
    const hop = plainAddress(withoutPort(hops.pop()?.trim() ?? ''))
    if (isIP(hop) === 0) return address
    address = hop
  }
  return address
}

export const peerIsTrusted = (request: IncomingMessage, trusted: BlockList): boolean =>
  isTrusted(plainAddress(request.socket.remoteAddress ?? ''), trusted)

/** An IPv4 address as it is; of an IPv6 address the first half, since one household has all of the second. */
export const networkOf = (address: string): string => {
  if (isIP(address) !== 6) return address
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const groups =
    tail === undefined
      ? front
      : [...front, ...Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0'), ...back]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

const isTrusted = (address: string, trusted: BlockList): boolean => {
  const family = isIP(address)
  return family !== 0 && trusted.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

/** An IPv4 address that arrives on an IPv6 socket is the same address. */
const plainAddress = (address: string): string => /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address

const withoutPort = (hop: string): string => {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(hop)?.[1]
  if (bracketed !== undefined) return bracketed
  return /^\d+\.\d+\.\d+\.\d+:\d+$/.test(hop) ? (hop.split(':')[0] ?? '') : hop
}
