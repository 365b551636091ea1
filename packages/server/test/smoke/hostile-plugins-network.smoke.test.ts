import { createServer as createPage, request } from 'node:http'
import { createServer as createEncryptedPage } from 'node:https'
import { createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Names, Reach } from '../../src/plugins/reach.ts'
import { type Hosting, openHosting } from '../plugins/hosting.ts'
import { machines, requireMachine } from '../plugins/machines.ts'
import { selfSigned } from '../self-signed.ts'

const everywhere: Reach = { isPublic: true, hosts: [] }

type TargetAddress = { readonly host: string; readonly port: number } | { readonly path: string }

interface Canary extends AsyncDisposable {
  readonly port: number
  readonly visits: () => number
}

/** It is a server in the local network that a plugin has not been allowed to reach. */
const listening = async (server: Server, at: TargetAddress): Promise<Canary> => {
  let visits = 0
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    visits += 1
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  await new Promise<void>((resolve) => server.listen(at, resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    visits: () => visits,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const canaryAt = (at: TargetAddress): Promise<Canary> =>
  listening(
    createServer((socket) => socket.end()),
    at,
  )

const pageAt = (reply: { status: number; body: string; location?: string }): Promise<Canary> => {
  const { status, body, location } = reply
  const page = createPage((_, response) => response.writeHead(status, location ? { location } : {}).end(body))
  return listening(page, { host: '127.0.0.1', port: 0 })
}

/** Only these names resolve here. */
const names = (addresses: Readonly<Record<string, readonly string[]>>): Names => {
  const ofEverybody = async (host: string) => addresses[host] ?? []
  return { ofEverybody, ofNeighbours: ofEverybody }
}

const refusals = ({ troubles }: Hosting) =>
  troubles.filter(({ fault }) => fault.code === 'NETWORK_REFUSED').map(({ fault, isGrave }) => [fault.message, isGrave])

const privateAddress = 'The address is one of a private network.'

describe.each(machines)('PLG-1 the network of a plugin on %s', (_, machine) => {
  beforeEach(({ skip }) => requireMachine(machine, skip))
  const { means } = machine
  const isSandboxed = machine.sandbox !== 'none'

  test.each([
    ['without the permission', undefined],
    ['with the permission', everywhere],
  ])('one that goes its own way %s reaches nobody at home, or the report says that it may', async (_, reach) => {
    await using hosting = await openHosting({ means })
    await using four = await canaryAt({ host: '127.0.0.1', port: 0 })
    await using six = await canaryAt({ host: '::1', port: 0 })
    await using file = await canaryAt({ path: join(hosting.folder, '..', `carrel-socket-${process.pid}`) })
    const spec = hosting.spec('connects.mjs', { reach })
    const answers = [
      await hosting.ask(spec, String(four.port)),
      await hosting.ask(spec, `::1 ${six.port}`),
      await hosting.ask(spec, join(hosting.folder, '..', `carrel-socket-${process.pid}`)),
    ]
    const isHeld = hosting.isolation().network === 'enforced'
    expect(isHeld).toBe(isSandboxed)
    expect(answers.map((answer) => answer === 'connected')).toEqual(answers.map(() => !isHeld))
    // The side that connects knows of the connection first.
    const visits = () => [four, six, file].map((each) => each.visits())
    await expect.poll(visits).toEqual(isHeld ? [0, 0, 0] : [1, 1, 1])
  })

  test('one that was granted a server of its own home reaches that and no other', async () => {
    await using hosting = await openHosting({ means, names: names({ shelf: ['127.0.0.1'] }) })
    await using page = await pageAt({ status: 200, body: 'a page' })
    await using canary = await pageAt({ status: 200, body: 'secret' })
    const hosts = [
      { host: 'shelf', port: page.port },
      { host: '127.0.0.1', port: page.port },
    ]
    const spec = hosting.spec('fetches.mjs', { reach: { isPublic: false, hosts } })
    for (const how of ['', 'get ']) {
      expect(await hosting.ask(spec, `${how}http://shelf:${page.port}/`)).toBe('200 a page')
      expect(await hosting.ask(spec, `${how}http://127.0.0.1:${page.port}/`)).toBe('200 a page')
      expect(await hosting.ask(spec, `${how}http://127.0.0.1:${canary.port}/`)).not.toContain('secret')
    }
    expect(canary.visits()).toBe(0)
    expect(refusals(hosting)[0]).toEqual([
      `It may not reach 127.0.0.1:${canary.port}. It has not been granted this address.`,
      false,
    ])
  })

  test('one that uses fetch is led to no private address: not by a number, a name, or a page that leads on', async () => {
    const addresses = { 'rebound.example': ['93.184.216.34', '127.0.0.1'], 'metadata.example': ['169.254.169.254'] }
    await using hosting = await openHosting({ means, names: names({ ...addresses, leading: ['127.0.0.1'] }) })
    await using leading = await pageAt({ status: 302, body: '', location: 'http://169.254.169.254/latest/meta-data/' })
    const hosts = [{ host: 'leading', port: leading.port }]
    const spec = hosting.spec('fetches.mjs', { reach: { isPublic: true, hosts } })
    const refused = [
      'http://127.0.0.1/',
      'https://127.0.0.1/',
      'http://[::1]/',
      'http://[::ffff:127.0.0.1]/',
      'http://[64:ff9b::7f00:1]/',
      'http://2130706433/',
      'http://0x7f.1/',
      'http://0.0.0.0/',
      'http://10.0.0.1/',
      'http://100.64.0.1/',
      'http://169.254.169.254/',
      'http://[fd00:ec2::254]/',
      'http://rebound.example/',
      'https://metadata.example/',
      `http://leading:${leading.port}/`,
      'http://93.184.216.34:22/',
    ]
    for (const url of refused) {
      expect([url, await hosting.ask(spec, url)]).toEqual([url, expect.stringMatching(/^refused: |^403 /)])
    }
    // An unencrypted request gets the reason.
    expect(await hosting.ask(spec, 'get http://10.0.0.1/')).toBe(`403 ${privateAddress}`)
    expect(leading.visits()).toBeGreaterThan(0)
    expect(refusals(hosting)).toEqual([[`It may not reach 127.0.0.1:80. ${privateAddress}`, false]])
    await hosting.host.forget(() => true)
    expect(refusals(hosting)).toHaveLength(2)
    expect(refusals(hosting)[1]?.[0]).toMatch(/^It may not reach .* And \d+ times more\.$/)
    expect(hosting.troubles.at(-1)?.lastWords).toContain('It may not reach 169.254.169.254:80.')
    expect(hosting.troubles.every(({ isGrave }) => !isGrave)).toBe(true)
  })

  test('what is encrypted goes through unread', async () => {
    await using hosting = await openHosting({ means })
    const encrypted = createEncryptedPage(selfSigned, (_, response) => response.end('an encrypted page'))
    await using page = await listening(encrypted, { host: '127.0.0.1', port: 0 })
    const hosts = [{ host: 'localhost', port: page.port }]
    const spec = hosting.spec('fetches.mjs', { reach: { isPublic: false, hosts } })
    expect(await hosting.ask(spec, `https://localhost:${page.port}/`)).toBe('200 an encrypted page')
  })

  test('what it cannot find or reach is no refusal', async () => {
    await using hosting = await openHosting({ means, names: names({}) })
    const spec = hosting.spec('fetches.mjs', { reach: everywhere })
    expect(await hosting.ask(spec, 'get http://nowhere.example/')).toBe('502 The address cannot be found.')
    expect(refusals(hosting)).toEqual([])
  })
})

test('PLG-1 where all share a network, nobody else goes by the way of a plugin', async () => {
  await using hosting = await openHosting({ sandbox: 'none' })
  await using page = await pageAt({ status: 200, body: 'a page' })
  const hosts = [{ host: '127.0.0.1', port: page.port }]
  const spec = hosting.spec('reads-the-environment.mjs', { reach: { isPublic: false, hosts } })
  const { env } = JSON.parse(await hosting.ask(spec)) as { env: Record<string, string> }
  const proxy = new URL(env.HTTP_PROXY ?? '')
  const through = async (authorization?: string) => {
    const headers = authorization === undefined ? undefined : { 'proxy-authorization': authorization }
    return new Promise<number>((resolve, reject) => {
      const options = { host: proxy.hostname, port: proxy.port, path: `http://127.0.0.1:${page.port}/`, headers }
      request(options, (response) => resolve(response.resume().statusCode ?? 0))
        .on('error', reject)
        .end()
    })
  }
  const own = Buffer.from(`${proxy.username}:${proxy.password}`).toString('base64')
  expect(await through()).toBe(407)
  expect(await through(`Basic ${Buffer.from('plugin:guess').toString('base64')}`)).toBe(407)
  expect(await through(`Basic ${own}`)).toBe(200)
})
