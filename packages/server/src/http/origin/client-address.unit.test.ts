import type { IncomingMessage } from 'node:http'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { rangesOf } from '../../config.ts'
import { clientAddress, networkOf } from './client-address.ts'

const proxies = rangesOf(['10.0.0.0/8', '127.0.0.1', 'fd00::/8'])
const nobody = rangesOf([])

const from = (remoteAddress: string, forwarded?: string, trusted = proxies): string =>
  clientAddress(
    { socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } } as unknown as IncomingMessage,
    trusted,
  )

test('LIM-1 a forwarded address is believed from right to left, as far as our own proxies reach', () => {
  const cases: [string, string | undefined, string][] = [
    ['198.51.100.1', '203.0.113.9', '198.51.100.1'],
    ['10.0.0.1', undefined, '10.0.0.1'],
    ['10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['10.0.0.1', '1.2.3.4, 203.0.113.9', '203.0.113.9'],
    ['10.0.0.1', '1.2.3.4, 203.0.113.9, 10.2.2.2', '203.0.113.9'],
    ['10.0.0.1', '10.3.3.3,10.2.2.2', '10.3.3.3'],
    ['10.0.0.1', '203.0.113.9:4711', '203.0.113.9'],
    ['10.0.0.1', '[2001:db8::7]:4711', '2001:db8::7'],
    ['10.0.0.1', '2001:db8::7', '2001:db8::7'],
    ['::ffff:10.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['10.0.0.1', '203.0.113.9, ::ffff:a02:202', '203.0.113.9'],
    ['fd00::1', '203.0.113.9', '203.0.113.9'],
    ['10.0.0.1', '203.0.113.9, unknown', '10.0.0.1'],
    ['10.0.0.1', '203.0.113.9, unknown, 10.2.2.2', '10.2.2.2'],
    ['10.0.0.1', '', '10.0.0.1'],
    ['10.0.0.1', ',,,', '10.0.0.1'],
  ]
  for (const [remote, forwarded, client] of cases)
    expect([remote, forwarded, from(remote, forwarded)]).toEqual([remote, forwarded, client])
})

test('LIM-1 whatever a client writes into the header, its address is the one our proxy saw', () => {
  const written = fc.oneof(fc.string(), fc.ipV4(), fc.ipV6(), fc.constantFrom('10.0.0.9', '127.0.0.1', 'fd00::9', ''))
  fc.assert(
    fc.property(fc.array(written, { maxLength: 8 }), (hops) => {
      expect(from('10.0.0.1', [...hops, '203.0.113.9'].join(', '))).toBe('203.0.113.9')
      expect(from('203.0.113.9', hops.join(', '))).toBe('203.0.113.9')
      expect(from('10.0.0.1', hops.join(', '), nobody)).toBe('10.0.0.1')
    }),
  )
})

const group = fc.integer({ min: 0, max: 0xffff })
const groups = fc.oneof(
  fc.array(group, { minLength: 8, maxLength: 8 }),
  // Zeros in a row, which may be left out.
  fc
    .tuple(fc.nat({ max: 7 }), fc.nat({ max: 8 }), fc.array(group, { minLength: 8, maxLength: 8 }))
    .map(([start, length, all]) => all.map((each, index) => (index >= start && index < start + length ? 0 : each))),
)

const inFull = (address: readonly number[]): string =>
  address.map((each) => each.toString(16).padStart(4, '0')).join(':')
const short = (address: readonly number[]): string => new URL(`http://[${inFull(address)}]`).hostname.slice(1, -1)
/** The last four bytes as in IPv4, zeros in front left out. */
const dotted = (address: readonly number[]): string => {
  const bytes = address.slice(6).flatMap((each) => [each >> 8, each & 255])
  const front = address.slice(0, 6).map((each) => each.toString(16).toUpperCase())
  const significant = front.findIndex((each) => each !== '0')
  if (significant === 0) return `${front.join(':')}:${bytes.join('.')}`
  const parts = significant === -1 ? [] : front.slice(significant)
  return `::${[...parts, bytes.join('.')].join(':')}`
}

test('LIM-1 one IPv6 address is one network, however it is spelled, and the half behind does not matter', () => {
  fc.assert(
    fc.property(groups, fc.array(group, { minLength: 4, maxLength: 4 }), (address, otherHalf) => {
      const network = networkOf(inFull(address))
      expect([short(address), dotted(address), inFull(address).toUpperCase()].map(networkOf)).toEqual([
        network,
        network,
        network,
      ])
      const neighbour = [...address.slice(0, 4), ...otherHalf]
      // An address that stands for one of IPv4 counts as that one.
      fc.pre(![address, neighbour].some((each) => each.slice(0, 5).every((part) => part === 0)))
      expect(networkOf(inFull(neighbour))).toBe(network)
    }),
  )
})

test('LIM-1 different halves in front are different networks', () => {
  fc.assert(
    fc.property(groups, groups, (one, other) => {
      fc.pre(inFull(one.slice(0, 4)) !== inFull(other.slice(0, 4)))
      expect(networkOf(inFull(one))).not.toBe(networkOf(inFull(other)))
    }),
  )
})

test('LIM-1 an IPv4 address on an IPv6 socket counts as itself', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      expect(networkOf(address)).toBe(address)
      expect(networkOf(`::ffff:${address}`)).toBe(address)
      expect(networkOf(short([0, 0, 0, 0, 0, 0xffff, ...halves(address)]))).toBe(address)
    }),
  )
})

const halves = (address: string): number[] => {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number)
  return [a * 256 + b, c * 256 + d]
}
