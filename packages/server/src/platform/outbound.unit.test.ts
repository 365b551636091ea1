import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { askOutbound, isPublic, type Outbound, OutboundProblem, postOutbound, requireReachable } from './outbound.ts'

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

const listening = async (answer: (request: IncomingMessage, response: ServerResponse) => void) => {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.headers.host ?? ''}${request.url}`)
    answer(request, response)
  })
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, asked }
}

const post = (url: string, more: Partial<Outbound> = {}): Promise<number> =>
  postOutbound({
    url,
    headers: { 'content-type': 'text/plain' },
    body: 'hello',
    allowedHosts: ['127.0.0.1'],
    signal: AbortSignal.timeout(20_000),
    ...more,
  })

const problemOf = async (sending: Promise<number>): Promise<string> => {
  try {
    return `no problem: ${await sending}`
  } catch (error) {
    if (error instanceof OutboundProblem) return error.message
    throw error
  }
}

test.each([
  'http://127.0.0.1/',
  'http://127.0.0.1./',
  'http://127.1/',
  'http://0x7f.1/',
  'http://2130706433/',
  'http://017700000001/',
  'http://0.0.0.0/',
  'http://10.1.2.3/',
  'http://100.64.0.1/',
  'http://169.254.169.254/latest',
  'http://172.31.0.1/',
  'http://192.168.1.1/',
  'http://255.255.255.255/',
  'http://[::]/',
  'http://[::1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:8.8.8.8]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[2001::1]/',
  'http://[fd00::1]/',
  'http://[fe80::1]/',
  'http://[ff02::1]/',
])('no request is sent to %s', async (url) => {
  expect(await problemOf(post(url, { allowedHosts: [] }))).toBe('The address is one of a private network.')
})

test('addresses that are handed out to everybody are public', () => {
  for (const address of ['8.8.8.8', '1.1.1.1', '223.255.255.254', '2606:4700::1111', '2a00:1450:4001::1'])
    expect([address, isPublic(address)]).toEqual([address, true])
  for (const address of ['', 'example.org', '2606:4700::1%lo', '1.1.1']) expect(isPublic(address)).toBe(false)
})

test('only plain addresses of the web are asked, on the usual ports', () => {
  const why = (url: string, allowed: string[] = []): string => {
    try {
      return requireReachable(url, allowed).href
    } catch (error) {
      return error instanceof Error ? error.message : ''
    }
  }
  expect(why('https://example.org/hook')).toBe('https://example.org/hook')
  expect(why('https://example.org:443/hook')).toBe('https://example.org/hook')
  expect(why('file:///etc/passwd')).toContain('https://')
  expect(why('gopher://example.org/')).toContain('https://')
  expect(why('https://me:secret@example.org/')).toContain('user name')
  expect(why('https://example.org:6379/')).toContain('ports')
  expect(why('nonsense')).toContain('valid')
  expect(why('http://nas.lan:8080/hook', ['nas.lan'])).toBe('http://nas.lan:8080/hook')
  expect(why('http://[fd00::7]:8080/hook', ['fd00::7'])).toBe('http://[fd00::7]:8080/hook')
})

test('a name is judged by the addresses it stands for', async () => {
  const { port, asked } = await listening((_, response) => response.end())
  expect(await problemOf(post('http://localhost/', { allowedHosts: [] }))).toBe(
    'The address is one of a private network.',
  )
  // Some name servers know it with the dot of a whole name, some do not.
  expect(await problemOf(post('http://localhost./', { allowedHosts: [] }))).not.toContain('no problem')
  expect(asked).toEqual([])
  expect(await post(`http://127.0.0.1:${port}/hook`)).toBe(200)
  expect(asked).toEqual([`POST 127.0.0.1:${port}/hook`])
})

test('a redirect is looked at like any address, and followed three times', async () => {
  const inner = await listening((_, response) => response.end())
  const outer = await listening(({ url }, response) => {
    const target =
      url === '/inside' ? `http://localhost:${inner.port}/` : url === '/file' ? 'file:///etc/passwd' : '/again'
    response.writeHead(307, { location: target }).end()
  })
  const from = `http://127.0.0.1:${outer.port}`
  expect(await problemOf(post(`${from}/inside`))).toBe('Only the ports 80 and 443 may be reached.')
  expect(inner.asked).toEqual([])
  expect(await problemOf(post(`${from}/file`))).toContain('https://')
  expect(await problemOf(post(`${from}/loop`))).toContain('more than 3 times')
  expect(outer.asked).toHaveLength(2 + 4)
})

test('whatever the other side does, it ends', async () => {
  const silent = await listening(() => undefined)
  const soon = { firstByteMs: 50, totalMs: 20_000 }
  expect(await problemOf(post(`http://127.0.0.1:${silent.port}/`, { timing: soon }))).toBe(
    'The address does not answer.',
  )
  const slow = await listening((_, response) => {
    response.writeHead(200)
    response.write('x')
  })
  const inAll = { firstByteMs: 20_000, totalMs: 300 }
  expect(await problemOf(post(`http://127.0.0.1:${slow.port}/`, { timing: inAll }))).toBe(
    'The address takes too long to answer.',
  )
  const endless = await listening((_, response) => {
    response.writeHead(202)
    const more = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
    }
    response.on('drain', more)
    more()
  })
  expect(await post(`http://127.0.0.1:${endless.port}/`)).toBe(202)
  expect(await problemOf(post('http://127.0.0.1:1/'))).toBe('The address cannot be reached.')
})

test('T-21 a question with a secret in it is asked once, at an address with a lock, and its answer has an end', async () => {
  const { port, asked } = await listening((request, response) => {
    if (request.url === '/on') response.writeHead(307, { location: '/else' }).end('moved')
    else response.end('x'.repeat(2000))
  })
  const ask = async (url: string, more: { readonly allowedHosts?: string[]; readonly bytesMax?: number } = {}) => {
    try {
      const { status, bytes } = await askOutbound({
        method: 'POST',
        url,
        accept: 'application/json',
        headers: { authorization: 'Bearer secret' },
        body: 'secret',
        bytesMax: 5000,
        allowedHosts: ['127.0.0.1'],
        signal: AbortSignal.timeout(20_000),
        ...more,
      })
      return [status, bytes.length]
    } catch (error) {
      if (error instanceof OutboundProblem) return error.message
      throw error
    }
  }
  const own = `http://127.0.0.1:${port}`
  expect(await ask(`${own}/`)).toEqual([200, 2000])
  expect(await ask(`${own}/on`)).toEqual([307, 5])
  expect(asked).toEqual([`POST 127.0.0.1:${port}/`, `POST 127.0.0.1:${port}/on`])
  expect(await ask(`${own}/`, { bytesMax: 1000 })).toMatch(/more than 1000 bytes/)
  expect(await ask('http://example.org/', { allowedHosts: [] })).toMatch(/must begin with https/)
  expect(await ask('https://127.0.0.1/', { allowedHosts: [] })).toMatch(/private network/)
})
