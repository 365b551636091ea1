import { fromBuffer } from 'yauzl'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tinyJpeg } from '../../../test/books/pictures.ts'
import { zip } from '../../../test/books/zip.ts'
import { addBooks } from '../../../test/content.ts'
import { fillShelf } from '../../../test/shelf.ts'
import { startServer, type TestServer } from '../../../test/start-server.ts'
import { comic, sha, ask } from '../../../test/file-requests.ts'

/** Each test reads its own books, and all share a server. */
let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server[Symbol.asyncDispose]())

test('LIB-8 C24 a file comes whole or in the parts asked for, called as the book is', async () => {
  await using shelf = await fillShelf(server)
  const id = await shelf.addBook('5f.cbz', comic, { title: 'Fünf "Freunde"' })
  const reader = await server.person('reader')
  const file = (headers: Record<string, string> = {}) => ask(server, reader, `/api/v1/books/${id}/file`, headers)

  const full = await file()
  expect([full.status, sha(full.bytes), full.headers.get('content-length')]).toEqual([
    200,
    sha(comic),
    String(comic.length),
  ])
  expect(Object.fromEntries(full.headers)).toMatchObject({
    'content-type': 'application/vnd.comicbook+zip',
    'content-disposition': `attachment; filename="Blame 1 - F_nf Freunde.cbz"; filename*=UTF-8''Blame%201%20-%20F%C3%BCnf%20Freunde.cbz`,
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

  const etag = full.headers.get('etag') ?? ''
  const modified = full.headers.get('last-modified') ?? ''
  expect((await part('bytes=0-3', { 'if-range': etag }))[0]).toBe(206)
  expect((await part('bytes=0-3', { 'if-range': modified }))[0]).toBe(206)
  expect((await part('bytes=0-3', { 'if-range': '"another"' }))[0]).toBe(200)
  expect((await part('bytes=0-3', { 'if-range': `W/${etag}` }))[0]).toBe(200)
  expect((await part('bytes=0-3', { 'if-range': new Date(0).toUTCString() }))[0]).toBe(200)
  expect((await file({ 'if-none-match': etag })).status).toBe(304)
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
  await using shelf = await fillShelf(server)
  await shelf.addBook('v1/one.cbz', comic, { title: 'The Log', number: 1 })
  await shelf.addBook('v2/One.cbz', zip([{ name: '1.jpg', bytes: tinyJpeg(9) }]), {
    title: 'Blame 1: the log',
    number: 1,
  })
  await shelf.addBook('three', { 'a.jpg': tinyJpeg(1), 'b.jpg': tinyJpeg(2) }, { title: 'Blame 3', number: 3 })
  await shelf.addBook('grown-up.cbz', comic, { title: 'Grown-up?', number: 10, age_rating: 18 })
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
    [
      '1 - Blame 01 - The Log.cbz',
      '2 - Blame 01 - the log.cbz',
      '3 - Blame 03/a.jpg',
      '3 - Blame 03/b.jpg',
      '4 - Blame 10 - Grown-up.cbz',
    ].sort(),
  )
  expect(bytes.includes(comic)).toBe(true)
  expect((await namesIn((await ask(server, child, address)).bytes)).join()).not.toMatch(/grown-up/i)

  const folder = await ask(
    server,
    reader,
    `/api/v1/books/${await shelf.addBook('four', { 'a.jpg': tinyJpeg(4) })}/file`,
  )
  expect(await namesIn(folder.bytes)).toEqual(['a.jpg'])
})
