import { once } from 'node:events'
import { open, rename, truncate, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tinyJpeg } from '../../../test/books/pictures.ts'
import { zip } from '../../../test/books/zip.ts'
import { fillShelf } from '../../../test/shelf.ts'
import { startServer, type TestServer } from '../../../test/start-server.ts'
import { comic, sha, ask } from '../../../test/file-requests.ts'

/** Each test reads its own books, and all share a server. */
let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server[Symbol.asyncDispose]())

test('LIB-8 several parts come as one message in parts, each once', async () => {
  await using shelf = await fillShelf(server)
  const id = await shelf.addBook('one.cbz', comic)
  const reader = await server.person('reader')
  const { status, headers, bytes } = await ask(server, reader, `/api/v1/books/${id}/file`, {
    range: 'bytes=0-4, 10-14,-3',
  })
  const boundary = /^multipart\/byteranges; boundary=(\w+)$/.exec(headers.get('content-type') ?? '')?.[1] ?? ''
  const parts = bytes.toString('latin1').split(`--${boundary}`).slice(1, -1)
  const size = comic.length

  expect([status, headers.get('content-length')]).toEqual([206, String(bytes.length)])
  expect(parts.map((part) => /Content-Range: (.+)\r\n/.exec(part)?.[1])).toEqual([
    `bytes 0-4/${size}`,
    `bytes 10-14/${size}`,
    `bytes ${size - 3}-${size - 1}/${size}`,
  ])
  expect(parts[1]?.split('\r\n\r\n')[1]).toBe(`${comic.toString('latin1', 10, 15)}\r\n`)

  const overlapping = await ask(server, reader, `/api/v1/books/${id}/file`, { range: 'bytes=0-99,50-149,0-199' })
  expect(overlapping.headers.get('content-range')).toBe(`bytes 0-199/${size}`)
  const many = `bytes=${Array.from({ length: 60 }, (_, index) => `${index * 2}-${index * 2}`).join(',')}`
  expect((await ask(server, reader, `/api/v1/books/${id}/file`, { range: many })).status).toBe(200)
})

/** It reads slowly, so that something can happen meanwhile. It returns what came and whether all of it did. */
const download = async (url: string, accessToken: string, meanwhile: () => Promise<void>) => {
  const outgoing = request(url, { headers: { authorization: `Bearer ${accessToken}` } })
  outgoing.end()
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  await meanwhile()
  const chunks: Buffer[] = []
  try {
    for await (const chunk of response) chunks.push(chunk as Buffer)
  } catch {
    return { isWhole: false, bytes: Buffer.concat(chunks) }
  }
  const bytes = Buffer.concat(chunks)
  const isGood = response.statusCode === 200 && response.complete
  return { isWhole: isGood && bytes.length === Number(response.headers['content-length']), bytes }
}

test('P-6 a file that is cut or written over while it is sent breaks off; one that is replaced comes as it was', async () => {
  await using shelf = await fillShelf(server)
  const large = zip([{ name: '1.jpg', bytes: tinyJpeg(1) }], {
    after: Buffer.alloc(0),
    prefix: Buffer.alloc(24 * 1024 * 1024, 7),
  })
  const reader = await server.person('reader')
  const cases = {
    cut: (path: string) => truncate(path, 1000),
    'written over': async (path: string) => {
      const file = await open(path, 'r+')
      await file.write(Buffer.alloc(20 * 1024 * 1024, 9), 0, 20 * 1024 * 1024, 4 * 1024 * 1024)
      await file.close()
    },
    replaced: async (path: string) => {
      await writeFile(`${path}.new`, comic)
      await rename(`${path}.new`, path)
    },
  }
  const seen: Record<string, boolean> = {}
  for (const [name, change] of Object.entries(cases)) {
    const id = await shelf.addBook(`${name}.cbz`, large)
    const results = await Promise.all(
      Array.from({ length: 5 }, (_, index) =>
        download(`${server.url}/api/v1/books/${id}/file`, reader.accessToken, async () => {
          if (index === 0) await change(shelf.pathOf(`${name}.cbz`))
        }),
      ),
    )
    const complete = results.filter(({ isWhole }) => isWhole)
    expect(complete.map(({ bytes }) => sha(bytes))).toEqual(complete.map(() => sha(large)))
    seen[name] = results[0]?.isWhole ?? true
  }
  expect(seen).toEqual({ cut: false, 'written over': false, replaced: true })
})
