import { createSocket, type Socket } from 'node:dgram'
import { describe, expect, test } from 'vitest'
import { addressesOf, askNames, type Names, type HostAndPort, parseHostAndPort, type Reach } from './reach.ts'

const everywhere: Reach = { isPublic: true, hosts: [] }

const names = (addresses: readonly string[]): Names => ({
  ofEverybody: async () => addresses,
  ofNeighbours: async () => addresses,
})

const outcome = (target: HostAndPort, reach: Reach, resolver: Names) =>
  addressesOf(target, reach, resolver).catch((error: Error) => error.message)

describe('a place is a host with its port', () => {
  test.each([
    ['shelf.home:8080', { host: 'shelf.home', port: 8080 }],
    ['SHELF.home.:80', { host: 'shelf.home', port: 80 }],
    ['192.168.1.20:443', { host: '192.168.1.20', port: 443 }],
    ['0x7f.1:80', { host: '127.0.0.1', port: 80 }],
    ['[FD00::0:1]:8080', { host: 'fd00::1', port: 8080 }],
    ['shelf', undefined],
    ['shelf:0', undefined],
    ['shelf:65536', undefined],
    ['fd00::1:8080', undefined],
    ['a b:80', undefined],
    ['user@shelf:80', undefined],
    ['shelf/path:80', undefined],
    ['[fe80::1%eth0]:80', undefined],
    [':80', undefined],
  ])('%s', (text, target) => {
    expect(parseHostAndPort(text)).toEqual(target)
  })
})

test('a name is refused as soon as one of its addresses is a private one', async () => {
  const target = { host: 'rebound.example', port: 443 }
  expect(await outcome(target, everywhere, names(['93.184.216.34']))).toEqual(['93.184.216.34'])
  for (const address of ['127.0.0.1', '10.1.2.3', '169.254.169.254', '::1', '::ffff:10.0.0.1', 'fe80::1', 'fd00::1'])
    expect(await outcome(target, everywhere, names(['93.184.216.34', address]))).toBe(
      'The address is one of a private network.',
    )
})

test('public addresses are reached at the ports of the web, and only with the permission', async () => {
  const resolver = names(['93.184.216.34'])
  const target = { host: 'a.example', port: 25 }
  expect(await outcome(target, everywhere, resolver)).toBe('Only the ports 80 and 443 may be reached.')
  const granted = { isPublic: false, hosts: [target] }
  expect(await outcome(target, granted, resolver)).toEqual(['93.184.216.34'])
  expect(await outcome({ ...target, port: 80 }, granted, resolver)).toBe('It has not been granted this address.')
})

test('a server that was granted is reached where it is, and the machine is asked for it', async () => {
  const resolver: Names = { ofEverybody: async () => [], ofNeighbours: async () => ['192.168.1.20'] }
  const target = { host: 'shelf.local', port: 8080 }
  expect(await outcome(target, { isPublic: true, hosts: [target] }, resolver)).toEqual(['192.168.1.20'])
})

/** A name server that says of every name, in turns, that it is at one of these. */
const nameServer = async (addresses: readonly string[]) => {
  const socket: Socket = createSocket('udp4')
  let lookups = 0
  socket.on('message', (question, { port, address }) => {
    const isForOlder = question.readUInt16BE(question.length - 4) === 1
    const answer = isForOlder ? (addresses[lookups % addresses.length] ?? '') : ''
    if (isForOlder) lookups += 1
    const header = Buffer.from(question.subarray(0, 12))
    header.writeUInt16BE(0x81_80, 2)
    header.writeUInt16BE(answer === '' ? 0 : 1, 6)
    header.writeUInt16BE(0, 10)
    const end = question.indexOf(0, 12) + 5
    const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...answer.split('.').map(Number)])
    socket.send(Buffer.concat([header, question.subarray(12, end), ...(answer === '' ? [] : [record])]), port, address)
  })
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve))
  return {
    at: `127.0.0.1:${socket.address().port}`,
    asked: () => lookups,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  }
}

test('a name server that changes its mind is asked once, and cannot lead anybody home', async () => {
  await using server = await nameServer(['93.184.216.34', '127.0.0.1'])
  const resolver = askNames([server.at])
  const target = { host: 'rebound.example', port: 80 }
  expect(await outcome(target, everywhere, resolver)).toEqual(['93.184.216.34'])
  expect(server.asked()).toBe(1)
  expect(await outcome(target, everywhere, resolver)).toBe('The address is one of a private network.')
})
