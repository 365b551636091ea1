import type { IncomingMessage } from 'node:http'
import { type BlockList, isIP, type Socket } from 'node:net'

export const forwardingHeaders = ['forwarded', 'via', 'x-real-ip'] as const

/**
 * The address a request comes from. `X-Forwarded-For` is believed from right to left, as far as the hops are our own
 * proxies: what stands further left anybody may have written.
 */
export const clientAddress = (request: IncomingMessage, trusted: BlockList): string => {
  const peer = peerOf(request.socket, trusted)
  const forwarded = request.headers['x-forwarded-for']
  if (forwarded === undefined || !peer.isTrusted) return peer.address
  let { address } = peer
  const hops = String(forwarded).split(',')
  while (isTrusted(address, trusted) && hops.length > 0) {
    const hop = plainAddress(withoutPort(hops.pop()?.trim() ?? ''))
    if (isIP(hop) === 0) return address
    address = hop
  }
  return address
}

export const peerIsTrusted = (socket: Socket, trusted: BlockList): boolean => peerOf(socket, trusted).isTrusted

interface Peer {
  readonly trusted: BlockList
  readonly address: string
  readonly isTrusted: boolean
}

/** A connection has one other end, however many requests it brings. */
const peers = new WeakMap<Socket, Peer>()

const peerOf = (socket: Socket, trusted: BlockList): Peer => {
  const cached = peers.get(socket)
  if (cached?.trusted === trusted) return cached
  const address = plainAddress(socket.remoteAddress ?? '')
  const peer = { trusted, address, isTrusted: isTrusted(address, trusted) }
  peers.set(socket, peer)
  return peer
}

/** An IPv4 address as it is; of an IPv6 address the first half, since one household has all of the second. */
export const networkOf = (given: string): string => {
  const address = plainAddress(given)
  if (isIP(address) !== 6) return address
  const [head = '', tail] = spelledOnce(address).split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array<string>(8 - front.length - back.length).fill('0')
  const groups = [...front, ...zeros, ...back]
  return `${groups.slice(0, 4).join(':')}::/64`
}

/** Lower case, no leading zeros, no dots, no zone. */
const spelledOnce = (address: string): string => new URL(`http://[${address.split('%')[0]}]`).hostname.slice(1, -1)

const isTrusted = (address: string, trusted: BlockList): boolean => {
  const family = isIP(address)
  return family !== 0 && trusted.check(address, family === 6 ? 'ipv6' : 'ipv4')
}

/** An IPv4 address that arrives on an IPv6 socket is the same address, however it is spelled. */
const plainAddress = (address: string): string => {
  if (!address.includes(':')) return address
  const dotted = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (dotted !== undefined || isIP(address) !== 6) return dotted ?? address
  const [, high, low] = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(spelledOnce(address)) ?? []
  if (high === undefined || low === undefined) return address
  const [first, second] = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return [first >> 8, first & 255, second >> 8, second & 255].join('.')
}

const withoutPort = (hop: string): string => {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(hop)?.[1]
  if (bracketed !== undefined) return bracketed
  return /^\d+\.\d+\.\d+\.\d+:\d+$/.test(hop) ? (hop.split(':')[0] ?? '') : hop
}
