import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { open, rename, truncate, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { fromBuffer } from 'yauzl'
import { expect, test } from 'vitest'
import { tinyJpeg } from '../../../test/books/pictures.ts'
import { zip } from '../../../test/books/zip.ts'
import { addBooks } from '../../../test/content.ts'
import { fillShelf } from '../../../test/shelf.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'

const comic = zip([1, 2, 3].map((n) => ({ name: `${n}.jpg`, bytes: tinyJpeg(n), method: 'stored' as const })))
const sha = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const ask = async (
  server: TestServer,
  { accessToken }: Pick<Person, 'accessToken'>,
  path: string,
  { method = 'GET', ...headers }: Record<string, string> = {},
) => {
  const response = await fetch(server.url + path, {
    method,
    headers: { authorization: `Bearer ${accessToken}`, ...headers },
  })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

test('LIB-8 a file comes whole or in the parts asked for, under its own name', async () => {
  await using server = await startServer()
  await using shelf = await fillShelf(server)
  const id = await shelf.addBook('Fünf "Freunde".cbz', comic)
  const reader = await server.person('reader')
  const file = (headers: Record<string, string> = {}) => ask(server, reader, `/api/v1/books/${id}/file`, headers)

  const whole = await file()
  expect([whole.status, sha(whole.bytes), whole.headers.get('content-length')]).toEqual([
    200,
    sha(comic),
    String(comic.length),
  ])
  expect(Object.fromEntries(whole.headers)).toMatchObject({
    'content-type': 'application/vnd.comicbook+zip',
    'content-disposition': `attachment; filename="F_nf _Freunde_.cbz"; filename*=UTF-8''F%C3%BCnf%20%22Freunde%22.cbz`,
    'accept-ranges': 'bytes',
    'x-content-type-options': 'nosniff',
  })
  const head = await file({ method: 'HEAD' })
  expect([head.status, head.headers.get('content-length'), head.bytes.length]).toEqual([200, String(comic.length), 0])

  const part = async (range: string, more: Record<string, string> = {}) => {
    const { status, headers, bytes } = await file({ range, ...more })
    return [status, headers.get('content-range'), sha(bytes)]
  }
  const size = comic.length
  expect(await part('bytes=10-19')).toEqual([206, `bytes 10-19/${size}`, sha(comic.subarray(10, 20))])
  expect(await part('bytes=-5')).toEqual([206, `bytes ${size - 5}-${size - 1}/${size}`, sha(comic.subarray(-5))])
  expect(await part('bytes=100-')).toEqual([206, `bytes 100-${size - 1}/${size}`, sha(comic.subarray(100))])
  expect(await part('bytes=20-10')).toEqual([200, null, sha(comic)])
  expect(await part('pages=1-2')).toEqual([200, null, sha(comic)])
  expect((await part(`bytes=${size}-`)).slice(0, 2)).toEqual([416, `bytes */${size}`])

  const etag = whole.headers.get('etag') ?? ''
  const modified = whole.headers.get('last-modified') ?? ''
  expect((await part('bytes=0-3', { 'if-range': etag }))[0]).toBe(206)
  expect((await part('bytes=0-3', { 'if-range': modified }))[0]).toBe(206)
  expect((await part('bytes=0-3', { 'if-range': '"another"' }))[0]).toBe(200)
  expect((await part('bytes=0-3', { 'if-range': `W/${etag}` }))[0]).toBe(200)
  expect((await part('bytes=0-3', { 'if-range': new Date(0).toUTCString() }))[0]).toBe(200)
  expect((await file({ 'if-none-match': etag })).status).toBe(304)
})

test('LIB-8 several parts come as one message in parts, each once', async () => {
  await using server = await startServer()
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
  const many = `bytes=${Array.from({ length: 60 }, (_, at) => `${at * 2}-${at * 2}`).join(',')}`
  expect((await ask(server, reader, `/api/v1/books/${id}/file`, { range: many })).status).toBe(200)
})

/** It reads slowly, so that something can happen meanwhile. It returns what came and whether all of it did. */
const download = async (url: string, accessToken: string, meanwhile: () => Promise<void>) => {
  const asked = request(url, { headers: { authorization: `Bearer ${accessToken}` } })
  asked.end()
  const [response] = (await once(asked, 'response')) as [IncomingMessage]
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
  await using server = await startServer()
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
      Array.from({ length: 5 }, (_, at) =>
        download(`${server.url}/api/v1/books/${id}/file`, reader.accessToken, async () => {
          if (at === 0) await change(shelf.pathOf(`${name}.cbz`))
        }),
      ),
    )
    const whole = results.filter(({ isWhole }) => isWhole)
    expect(whole.map(({ bytes }) => sha(bytes))).toEqual(whole.map(() => sha(large)))
    seen[name] = results[0]?.isWhole ?? true
  }
  expect(seen).toEqual({ cut: false, 'written over': false, replaced: true })
})

const namesIn = (bytes: Buffer): Promise<string[]> =>
  new Promise((resolve, reject) => {
    fromBuffer(bytes, { validateEntrySizes: true }, (error, archive) => {
      if (error) return reject(error)
      const names: string[] = []
      archive.on('entry', (entry: { fileName: string }) => names.push(entry.fileName))
      archive.on('end', () => resolve(names))
      archive.on('error', reject)
      return undefined
    })
  })

test('LIB-8 HTTP-3 a series comes as one ZIP of the books one may see, as long as was said', async () => {
  await using server = await startServer()
  await using shelf = await fillShelf(server)
  await shelf.addBook('v1/one.cbz', comic)
  await shelf.addBook('v2/One.cbz', zip([{ name: '1.jpg', bytes: tinyJpeg(9) }]))
  await shelf.addBook('three', { 'a.jpg': tinyJpeg(1), 'b.jpg': tinyJpeg(2) })
  await shelf.addBook('grown-up.cbz', comic, { age_rating: 18 })
  await addBooks(server.context.db, shelf.series, [{ fileName: 'gone.cbz', state: 'missing' }])
  const reader = await server.person('reader')
  const child = await server.person('reader', { access: { ageCeiling: 12, includeUnrated: true } })
  const address = `/api/v1/series/${shelf.series.id}/download`

  const { status, headers, bytes } = await ask(server, reader, address)
  expect([status, headers.get('content-length'), headers.get('content-type')]).toEqual([
    200,
    String(bytes.length),
    'application/zip',
  ])
  expect(headers.get('content-disposition')).toBe('attachment; filename="Blame.zip"')
  expect((await namesIn(bytes)).sort()).toEqual(
    ['grown-up.cbz', 'three/a.jpg', 'three/b.jpg', 'one.cbz', 'One (2).cbz'].sort(),
  )
  expect(bytes.includes(comic)).toBe(true)
  expect(await namesIn((await ask(server, child, address)).bytes)).not.toContain('grown-up.cbz')

  const folder = await ask(
    server,
    reader,
    `/api/v1/books/${await shelf.addBook('four', { 'a.jpg': tinyJpeg(4) })}/file`,
  )
  expect(await namesIn(folder.bytes)).toEqual(['a.jpg'])
})
