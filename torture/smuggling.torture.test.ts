import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { freePort } from '../packages/server/test/free-port.ts'
import { rawRequest } from '../packages/server/test/raw-request.ts'
import { startCarrel, withoutWorker } from '../packages/server/test/smoke/carrel.ts'
import { rawConnection } from '../packages/server/test/smoke/raw-connection.ts'
import { temporaryFolder } from '../packages/server/test/smoke/temporary-folder.ts'
import { tell } from '../packages/server/test/smoke/torture.ts'
import { behindNginx, haproxyExample, requireProgram, type ReverseProxy, startReverseProxy } from './reverse-proxy.ts'

const hidden = 'requests hidden in others'

/** What an attacker wants a stranger's request to become the rest of. */
const smuggled = 'GET /api/v1/smuggled HTTP/1.1\r\nX-Ignored: '

/** Where the body ends is said by its length to one and by its chunks to the other. */
const encodings = [
  'Transfer-Encoding: chunked',
  'Transfer-Encoding : chunked',
  'Transfer-Encoding:chunked',
  'Transfer-Encoding:\tchunked',
  'Transfer-Encoding: \x0bchunked',
  'Transfer-Encoding: xchunked',
  'Transfer-Encoding: chunked, identity',
  'Transfer-Encoding: identity, chunked',
  'Transfer-Encoding: identity\r\nTransfer-Encoding: chunked',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: cow',
  'Transfer-Encoding: "chunked"',
  'Transfer-Encoding: CHUNKED',
  'transfer-encoding: chunked\0',
  'Transfer_Encoding: chunked',
  ' Transfer-Encoding: chunked',
  'X: y\nTransfer-Encoding: chunked',
  'X: y\rTransfer-Encoding: chunked',
  'Transfer-Encoding\r\n : chunked',
  'Transfer-Encoding:\r\n chunked',
  'Connection: Content-Length\r\nTransfer-Encoding: chunked',
]

const lengths = [
  'Content-Length: 0\r\nContent-Length: LENGTH',
  'Content-Length: LENGTH\r\nContent-Length: 0',
  'Content-Length: 0, LENGTH',
  'Content-Length: +LENGTH',
  'Content-Length: LENGTH\t',
  'Content-Length : LENGTH',
  'Content-Length: 0xLENGTH',
  'Content-Length: -LENGTH',
  'Content_Length: LENGTH',
  'Content-Length: 1e2',
  'Content-Length: 00LENGTH',
  'Content-Length: LENGTH\0',
  'X: y\nContent-Length: LENGTH',
  'Connection: Content-Length\r\nContent-Length: LENGTH',
  'Expect: 100-continue\r\nContent-Length: LENGTH',
]

const chunks = [
  `0\r\n\r\n${smuggled}`,
  `0\n\n${smuggled}`,
  `0;a=b\n\r\n\r\n${smuggled}`,
  `0x0\r\n\r\n${smuggled}`,
  `-0\r\n\r\n${smuggled}`,
  `00000000000000000\r\n\r\n${smuggled}`,
  `1\r\nZ\n0\r\n\r\n${smuggled}`,
  `1\r\nZZ\r\n0\r\n\r\n${smuggled}`,
  `ffffffffffffffff0\r\n\r\n${smuggled}`,
  `0\r\nContent-Length: 5\r\n\r\n${smuggled}`,
  `2;\nxx\r\n4c\r\n0\r\n\r\n${smuggled}`,
  `\r\n0\r\n\r\n${smuggled}`,
]

const post = (headers: string, body: string, version = '1.1'): string =>
  `POST /api/v1/auth/login HTTP/${version}\r\nHost: carrel\r\nContent-Type: application/json\r\n${headers}\r\n\r\n${body}`

const attacks: readonly string[] = [
  ...encodings.flatMap((encoding) => {
    const shortly = `0\r\n\r\n${smuggled}`
    const inChunks = `${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`
    return [
      post(`Content-Length: ${shortly.length}\r\n${encoding}`, shortly),
      post(`${encoding}\r\nContent-Length: ${shortly.length}`, shortly),
      post(`${encoding}\r\nContent-Length: 4`, inChunks),
      post(encoding, shortly),
      post(encoding, shortly, '1.0'),
    ]
  }),
  ...lengths.flatMap((length) => [
    post(length.replaceAll('LENGTH', String(smuggled.length)), smuggled),
    post(length.replaceAll('LENGTH', '5'), `12345${smuggled}`).replace('POST', 'GET'),
  ]),
  ...chunks.map((body) => post('Transfer-Encoding: chunked', body)),
  post(`Content-Length: ${smuggled.length}`, smuggled),
  `GET /health HTTP/1.1\r\nHost: carrel\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n\r\n${smuggled}`,
  `GET /health HTTP/1.1\nHost: carrel\n\n${smuggled}`,
  `GET /health\r\nHost: carrel\r\n\r\n${smuggled}`,
  `HEAD /health HTTP/1.1\r\nHost: carrel\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`,
]

/** The example that operators get; connections to the server are shared by strangers, as far as the proxy can be told to. */
const behindHaproxy = async (folder: string, ownPort: string): Promise<ReverseProxy> => {
  const port = await freePort()
  const example = await readFile(haproxyExample, 'utf8')
  const text = example
    .replace(/bind :443 .*/, `bind 127.0.0.1:${port}`)
    .replace(/server one .*/, `http-reuse always\n    server one 127.0.0.1:${ownPort}`)
    .replaceAll(/\n {4}server (?:two|three) .*/g, '')
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, text)
  return startReverseProxy('haproxy', ['-db', '-f', file], port)
}

const answerMs = 150

/** It returns what strangers were told who asked for something harmless while the connection of the attacker was open. */
const attack = async ({ url }: ReverseProxy, bytes: string): Promise<readonly string[]> => {
  await using attacker = await rawConnection(url)
  attacker.write(bytes)
  const until = performance.now() + answerMs
  while (!attacker.isClosed() && attacker.received() === '' && performance.now() < until) await delay(5)
  const told: string[] = []
  for (let victim = 0; victim < 3; victim += 1) {
    const { status, body } = await rawRequest(url, `GET /health?victim=${victim} HTTP/1.1\r\nHost: carrel\r\n\r\n`)
    told.push(`${status} ${body}`)
  }
  return told
}

const desynchronisedBy = async (proxy: ReverseProxy): Promise<readonly string[]> => {
  const answers: string[] = []
  for (const bytes of attacks) {
    const told = await attack(proxy, bytes)
    if (told.some((each) => each !== '200 {"status":"ok"}'))
      answers.push(`${JSON.stringify(bytes)}: ${told.join(' | ')}`)
  }
  return answers
}

/** It takes the body of a request for the next one. */
const carelessServer = async () => {
  const server = createServer((socket) => {
    let waiting = ''
    socket.on('error', () => undefined)
    socket.on('data', (data) => {
      const parts = (waiting + data.toString('latin1')).split('\r\n\r\n')
      waiting = parts.pop() ?? ''
      for (const part of parts) {
        const body = part.startsWith('GET /health') ? '{"status":"ok"}' : 'nothing'
        socket.write(
          `HTTP/1.1 ${body === 'nothing' ? '404 Not Found' : '200 OK'}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
        )
      }
    })
  })
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    port: String(port),
    [Symbol.asyncDispose]: async () => {
      server.close()
    },
  }
}

test('G6 control: behind the same HAProxy a server that takes bodies for requests answers strangers for the attacker', async ({
  skip,
}) => {
  requireProgram('haproxy', hidden, skip)
  await using folder = await temporaryFolder()
  await using careless = await carelessServer()
  await using proxy = await behindHaproxy(folder.path, careless.port)

  expect((await desynchronisedBy(proxy)).length).toBeGreaterThan(0)
})

const proxies = { haproxy: behindHaproxy, nginx: behindNginx }

for (const [name, start] of Object.entries(proxies))
  test(`G6 P-17 P-24 whatever is hidden behind a request to ${name}, nobody else is answered for it`, async ({
    skip,
  }) => {
    requireProgram(name, hidden, skip)
    await using folder = await temporaryFolder()
    const env = { ...withoutWorker, CARREL_RATE_LIMIT_ENABLED: 'false', CARREL_TRUSTED_PROXIES: '127.0.0.1' }
    await using carrel = await startCarrel({ cwd: folder.path, env })
    await using proxy = await start(folder.path, new URL(carrel.url).port)
    const desynchronised = await desynchronisedBy(proxy)
    tell({
      id: 'G6',
      what: `requests hidden in others, behind ${name}`,
      tries: attacks.length,
      lost: desynchronised.length,
    })
    expect(desynchronised).toEqual([])
  })
