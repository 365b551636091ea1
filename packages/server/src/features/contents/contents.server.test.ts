import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { epub } from '../../../test/books/epub.ts'
import { tinyJpeg } from '../../../test/books/pictures.ts'
import { zip } from '../../../test/books/zip.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { fillShelf } from '../../../test/shelf.ts'
import { startServer, type TestServer } from '../../../test/start-server.ts'

/** Each test reads its own books, and all share a server. */
let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server[Symbol.asyncDispose]())

test('C17 the manifest and the positions of a comic are its pages', async () => {
  await using shelf = await fillShelf(server)
  const comic = zip([1, 2].map((n) => ({ name: `${n}.jpg`, bytes: tinyJpeg(n), method: 'stored' as const })))
  const id = await shelf.addBook('one.cbz', comic, { reading_direction: 'rtl' })
  const reader = await server.person('reader')

  const manifest = bodyOf(await reader.call(api.readManifest, { params: { id } }))
  expect(manifest).toMatchObject({
    metadata: { readingProgression: 'rtl', layout: 'fixed', numberOfPages: 2, identifier: `urn:uuid:${id}` },
    readingOrder: [
      { href: 'pages/1', type: 'image/jpeg', width: 200, height: 300 },
      { href: 'pages/2', type: 'image/jpeg', width: 200, height: 300 },
    ],
    toc: [],
  })
  const { total, positions } = bodyOf(await reader.call(api.readPositions, { params: { id } }))
  expect([total, positions.map(({ href, locations }) => [href, locations.totalProgression])]).toEqual([
    2,
    [
      ['pages/1', 0],
      ['pages/2', 0.5],
    ],
  ])
  expect(bodyOf(await reader.call(api.searchInBook, { params: { id }, query: { q: 'a' } }))).toEqual({
    results: [],
    truncated: false,
  })
  expect(errorOf(await reader.call(api.readResource, { params: { id, path: '1.jpg' } })).error).toBe('not_found')
})

test('LIB-8 C17 a book of text is read chapter by chapter, each made safe, with the headers of a sandbox', async () => {
  await using shelf = await fillShelf(server)
  const body = '<p onclick="pwn()">The Café of rabbits<script>pwn()</script><img src="https://evil.example/x.png"/></p>'
  const bytes = epub({
    chapters: [
      { title: 'One & only', body, name: 'chapter one.xhtml' },
      { title: 'Two', body: '<p>No rabbit-hole here</p>' },
    ],
    members: [{ name: 'OEBPS/a.js', bytes: Buffer.from('pwn()') }],
    items: [{ name: 'b.js', mediaType: 'text/javascript', bytes: Buffer.from('pwn()') }],
  })
  const id = await shelf.addBook('one.epub', bytes)
  const reader = await server.person('reader')
  expect(bodyOf(await reader.call(api.listPages, { params: { id } }))).toEqual([])

  const manifest = bodyOf(await reader.call(api.readManifest, { params: { id } }))
  expect(manifest.metadata).toMatchObject({ layout: 'reflowable', readingProgression: 'ltr' })
  expect(manifest.toc[0]?.children?.map(({ title }) => title)).toEqual(['One & only', 'Two'])
  const read = async (href: string) => {
    const address = new URL(href, `${server.url}/api/v1/books/${id}/manifest`)
    const response = await fetch(address, { headers: { authorization: `Bearer ${reader.accessToken}` } })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const first = manifest.readingOrder.find(({ title }) => title === 'One & only')?.href ?? ''
  expect(first).toContain('chapter%20one.xhtml')
  const chapter = await read(first)
  expect([chapter.status, chapter.headers.get('content-type')]).toEqual([200, 'application/xhtml+xml; charset=utf-8'])
  expect(chapter.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox; frame-ancestors 'none'")
  expect(chapter.headers.get('x-content-type-options')).toBe('nosniff')
  expect(chapter.text).toContain('The Café of rabbits')
  expect(chapter.text).not.toMatch(/script|onclick|pwn|evil/)
  for (const { href } of manifest.resources) {
    const { status, headers } = await read(href)
    expect([href, status, /javascript|html$/.test(headers.get('content-type') ?? '')]).toEqual([href, 200, false])
  }
  for (const nothing of ['a.js', 'b.js', '../../etc/passwd', 'OEBPS/%2e%2e/%2e%2e/etc/passwd', 'no.xhtml'])
    expect([nothing, (await read(`resources/${nothing}`)).status]).toEqual([nothing, 404])

  const { positions, total } = bodyOf(await reader.call(api.readPositions, { params: { id } }))
  expect([total, positions[0]?.locations.position]).toEqual([positions.length, 1])
  const { results } = bodyOf(await reader.call(api.searchInBook, { params: { id }, query: { q: 'cafe OF' } }))
  expect(results.map(({ locator, match, after }) => [locator.href, match, after.slice(0, 8)])).toEqual([
    [first, 'Café of', ' rabbits'],
  ])
  const thumbnail = await fetch(`${server.url}/api/v1/books/${id}/thumbnail`, {
    headers: { authorization: `Bearer ${reader.accessToken}` },
  })
  expect(thumbnail.headers.get('content-type')).toBe('image/jpeg')
})
