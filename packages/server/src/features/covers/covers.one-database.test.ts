import * as api from '@carrel/api'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { epub } from '../../../test/books/epub.ts'
import { fictionBook } from '../../../test/books/fb2.ts'
import { tinyJpeg } from '../../../test/books/pictures.ts'
import { zip } from '../../../test/books/zip.ts'
import { libraryFolder } from '../../../test/library-folder.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { addLibraryOn, booksOf, scanNow } from '../../../test/scanning.ts'
import { fillShelf } from '../../../test/shelf.ts'
import { startServer, type TestServer } from '../../../test/start-server.ts'
import { plain, book, ask, thumbnail, hugePng, chosen, sizeOf, strip } from '../../../test/thumbnails.ts'

/** Most of the tests read their own books, and share a server. */
let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server[Symbol.asyncDispose]())

test('a picture of back and front shows its front half, by the direction the book is read in', async () => {
  await using shelf = await fillShelf(server)
  const spread = await sharp(await plain('#ff0000', 1600, 1200))
    .composite([{ input: await plain('#0000ff', 800, 1200), left: 0, top: 0 }])
    .png()
    .toBuffer()
  const page = await plain('#00ff00', 800, 1200)
  const pages = book(spread, page, page, page)
  const reader = await server.person('reader')

  const ltr = await thumbnail(server, reader, 'books', await shelf.addBook('a.cbz', pages))
  expect(ltr).toMatchObject({ colour: 'red', width: 267, height: 400 })
  const rtl = await shelf.addBook('b.cbz', pages, { reading_direction: 'rtl' })
  expect(await thumbnail(server, reader, 'books', rtl)).toMatchObject({ colour: 'blue', width: 267, height: 400 })
  // A book whose pages all lie on their side is so.
  const lying = await shelf.addBook('c.cbz', book(spread, spread, spread))
  expect(await thumbnail(server, reader, 'books', lying)).toMatchObject({ width: 400, height: 300 })
})

test('a cover has the colours of its profile, is turned as it says, and tells nothing beside the picture', async () => {
  await using shelf = await fillShelf(server)
  const wide = sharp(await plain('#00ff00', 900, 600))
  const turned = await wide
    .withIccProfile('p3')
    .withExif({ IFD0: { Artist: 'Ana' } })
    .withMetadata({ orientation: 6 })
    .jpeg()
    .toBuffer()
  const id = await shelf.addBook('one.cbz', zip([{ name: '1.jpg', bytes: turned }]))
  const reader = await server.person('reader')

  expect(await thumbnail(server, reader, 'books', id)).toMatchObject({
    width: 267,
    height: 400,
    space: 'srgb',
    extras: [undefined, undefined],
  })
})

const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script></svg>')

test('T-13 T-14 what is sent as a cover is a picture by its bytes, bounded, and made anew', async () => {
  await using shelf = await fillShelf(server)
  const { id, editor } = await chosen(server, shelf)
  const send = async (body: Buffer, type: string) => {
    const response = await fetch(`${server.url}/api/v1/books/${id}/covers`, {
      method: 'POST',
      headers: { authorization: `Bearer ${editor.accessToken}`, 'content-type': type },
      body: new Uint8Array(body),
    })
    return { status: response.status, body: (await response.json()) as api.CoverDto & api.ErrorReply }
  }
  const form = (bytes: Buffer, fileName: string) =>
    Buffer.concat([
      Buffer.from(`--x1\r\nContent-Disposition: form-data; name="note"\r\n\r\nhello\r\n`),
      Buffer.from(
        `--x1\r\nContent-Disposition: form-data; name="file"; filename="${fileName}"\r\nContent-Type: image/jpeg\r\n\r\n`,
      ),
      bytes,
      Buffer.from('\r\n--x1--\r\n'),
    ])
  const attacks: Record<string, readonly [Buffer, string, number]> = {
    svg: [svg, 'image/svg+xml', 415],
    'svg that says it is a PNG': [svg, 'image/png', 415],
    'svg in a form': [form(svg, 'cover.jpg'), 'multipart/form-data; boundary=x1', 415],
    html: [Buffer.from('<html><body>hello there</body></html>'), 'image/jpeg', 415],
    nothing: [Buffer.alloc(0), 'image/png', 400],
    json: [Buffer.from('{}'), 'application/json', 415],
    'a form without a file': [Buffer.from('--x1--\r\n'), 'multipart/form-data; boundary=x1', 400],
    'a form that never ends': [form(tinyJpeg(1), 'a').subarray(0, 300), 'multipart/form-data; boundary=x1', 400],
    'sixty thousand pixels': [hugePng(), 'image/png', 422],
    'half a picture': [tinyJpeg(1).subarray(0, 300), 'image/jpeg', 422],
    'too much': [Buffer.concat([tinyJpeg(1), Buffer.alloc(11 * 1024 * 1024)]), 'image/jpeg', 413],
  }
  for (const [what, [body, type, status]] of Object.entries(attacks))
    expect([what, (await send(body, type)).status]).toEqual([what, status])
  expect(bodyOf(await editor.call(api.listBookCovers, { params: { id } }))).toEqual([])

  const polyglot = Buffer.concat([tinyJpeg(3), Buffer.from('<script>alert(1)</script>')])
  for (const sent of [polyglot, form(polyglot, '../../etc/x.jpg')]) {
    const type = sent === polyglot ? 'application/octet-stream' : 'multipart/form-data; boundary="x1"'
    const { status, body } = await send(sent, type)
    expect(status).toBe(201)
    const image = await ask(server, editor, `/api/v1/books/${id}/covers/${body.id}/image?size=large`)
    expect([image.headers.get('content-type'), image.bytes.includes('<script>')]).toEqual(['image/jpeg', false])
  }
})

test('W4 the web app has a lane of its own: no token, but a bound', async () => {
  await using server = await startServer({
    env: {
      CARREL_RATE_LIMIT_ENABLED: 'true',
      CARREL_SETTING_RATE_LIMIT_AUTHENTICATED_BURST: '20',
      CARREL_SETTING_RATE_LIMIT_AUTHENTICATED_RPS: '1',
    },
  })
  await using shelf = await fillShelf(server)
  const id = await shelf.addBook('one.cbz', zip([{ name: '1.jpg', bytes: tinyJpeg(1) }]))
  const reader = await server.person('reader')
  await ask(server, reader, `/media/books/${id}/thumbnail`)
  const withCookie = async (path: string) => {
    const response = await fetch(server.url + path, { headers: { cookie: reader.cookie } })
    await response.arrayBuffer()
    return response.status
  }

  for (const path of [`books/${id}/thumbnail`, `series/${shelf.series.id}/thumbnail`, `books/${id}/pages/1`]) {
    const statuses = await Promise.all(Array.from({ length: 50 }, () => withCookie(`/media/${path}`)))
    expect([path, new Set(statuses)]).toEqual([path, new Set([200])])
  }
  const limited = []
  for (let time = 0; time < 25; time += 1) limited.push(await withCookie(`/api/v1/books/${id}/thumbnail`))
  expect(new Set(limited)).toEqual(new Set([200, 429]))
})

test('E4 a strip is as wide as a cover needs to be, and shows where it begins', async () => {
  await using shelf = await fillShelf(server)
  const reader = await server.person('reader')
  const sizes = async (name: string, page: Buffer) => {
    const id = await shelf.addBook(name, book(page, page))
    return [await sizeOf(server, reader, id), await sizeOf(server, reader, id, '?size=large')]
  }

  expect(await sizes('strip.cbz', await strip(800, 9000))).toEqual([
    { width: 250, height: 500, colour: 'red' },
    { width: 500, height: 1000, colour: 'red' },
  ])
  expect(await sizes('tall.cbz', await plain('#00ff00', 800, 1500))).toEqual([
    { width: 250, height: 469, colour: 'green' },
    { width: 500, height: 938, colour: 'green' },
  ])
  expect(await sizes('wide.cbz', await plain('#00ff00', 3000, 1000))).toEqual([
    { width: 500, height: 167, colour: 'green' },
    { width: 1000, height: 333, colour: 'green' },
  ])
  // Shaped as books are, they are as they were.
  expect((await sizes('usual.cbz', await plain('#00ff00', 1988, 3056)))[0]).toMatchObject({ width: 260, height: 400 })
  expect((await sizes('square.cbz', await plain('#00ff00', 900, 900)))[0]).toMatchObject({ width: 400, height: 400 })
})

test('LIB-8 C21 `cover.jpg` beside one book in two formats is the cover of that book', async () => {
  await using folder = await libraryFolder()
  await folder.write('Book/Book.epub', epub({ title: 'Book', identifier: 'urn:two-formats' }))
  await folder.write('Book/Book.fb2', fictionBook())
  await folder.write(
    'Book/cover.jpg',
    await sharp(await plain('#00ff00', 60, 90))
      .jpeg()
      .toBuffer(),
  )
  const libraryId = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, libraryId)
  const id = (await booksOf(server, libraryId)).get('Book/Book.epub')?.id ?? ''

  expect(await thumbnail(server, await server.person('reader'), 'books', id)).toMatchObject({ colour: 'green' })
})
