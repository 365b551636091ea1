import * as api from '@carrel/api'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { epub } from '../../../test/books/epub.ts'
import { pdfFile } from '../../../test/books/pdf.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { fillShelf } from '../../../test/shelf.ts'
import { startServer, type TestServer } from '../../../test/start-server.ts'

/** Each test reads its own books, and all share a server. */
let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const text = (page: number): string[] => [`This is page ${page}.`, `The Café of ${page} rabbits`, 'and nothing more']

test('LIB-8 C17 a PDF has pages that are drawn, an outline, and words that are found', async () => {
  await using shelf = await fillShelf(server)
  const outline = [{ title: 'Part', page: 1, children: [{ title: 'Chapter', page: 2 }] }]
  const bytes = pdfFile({ pages: [1, 2, 3].map((page) => ({ text: text(page) })), outline })
  const id = await shelf.addBook('one.pdf', bytes)
  const reader = await server.person('reader')

  const manifest = bodyOf(await reader.call(api.readManifest, { params: { id } }))
  expect(manifest.toc).toEqual([{ title: 'Part', href: 'pages/1', children: [{ title: 'Chapter', href: 'pages/2' }] }])
  expect(manifest.readingOrder).toHaveLength(3)
  const { results, truncated } = bodyOf(
    await reader.call(api.searchInBook, { params: { id }, query: { q: 'CAFE of 2' } }),
  )
  expect(truncated).toBe(false)
  expect(results.map(({ locator, match }) => [locator.href, locator.locations.position, match])).toEqual([
    ['pages/2', 2, 'Café of 2'],
  ])
  const drawn = async (query: string, accept = '*/*') => {
    const response = await fetch(`${server.url}/api/v1/books/${id}/pages/2${query}`, {
      headers: { authorization: `Bearer ${reader.accessToken}`, accept },
    })
    const { width, format } = await sharp(Buffer.from(await response.arrayBuffer())).metadata()
    return [response.status, response.headers.get('content-type'), width, format]
  }
  expect(await drawn('?width=640')).toEqual([200, expect.stringMatching(/^image\//), 640, expect.any(String)])
  expect((await drawn('?width=320', 'image/webp')).slice(1)).toEqual(['image/webp', 320, 'webp'])
  expect((await drawn('')).slice(0, 1)).toEqual([200])
  const thumbnail = await fetch(`${server.url}/api/v1/books/${id}/thumbnail`, {
    headers: { authorization: `Bearer ${reader.accessToken}` },
  })
  const cover = await sharp(Buffer.from(await thumbnail.arrayBuffer())).metadata()
  expect([thumbnail.headers.get('content-type'), cover.height]).toEqual(['image/jpeg', 400])
})

test('C17 of pages that are laid out the manifest says where each lies', async () => {
  await using shelf = await fillShelf(server)
  const page = (properties?: string) => ({
    source: `<html xmlns="http://www.w3.org/1999/xhtml"><head><title>p</title><meta name="viewport" content="width=600, height=800"/></head><body><p>Words</p></body></html>`,
    ...(properties !== undefined && { properties }),
  })
  const chapters = [
    page('rendition:page-spread-center'),
    page('page-spread-right'),
    page('rendition:page-spread-left layout-x'),
    page('rendition:layout-reflowable'),
    page(),
  ]
  const metadata = '<meta property="rendition:spread">none</meta>'
  const reader = await server.person('reader')
  const manifestOf = async (id: string) => bodyOf(await reader.call(api.readManifest, { params: { id } }))
  const id = await shelf.addBook('laid.epub', epub({ layout: 'fixed', direction: 'rtl', chapters, metadata }))
  const manifest = await manifestOf(id)
  expect(manifest.metadata).toMatchObject({
    layout: 'fixed',
    readingProgression: 'rtl',
    presentation: { spread: 'none' },
  })
  expect(manifest.readingOrder.map(({ properties }) => properties)).toEqual([
    { page: 'center' },
    { page: 'right' },
    { page: 'left' },
    { layout: 'reflowable' },
    undefined,
  ])
  const plain = await manifestOf(await shelf.addBook('plain.epub', epub({ layout: 'fixed', chapters: [page()] })))
  expect(plain.metadata.presentation).toEqual({ spread: 'auto' })
  const flowing = await manifestOf(await shelf.addBook('flowing.epub', epub()))
  expect(flowing.metadata.presentation).toBeUndefined()
})

test.each(['stored', 'deflated'] as const)(
  'C17 sound that is %s comes in the parts that are asked for',
  async (method) => {
    await using shelf = await fillShelf(server)
    const song = Buffer.from(Array.from({ length: 700_000 }, (_, index) => (index * 7) % 251))
    const id = await shelf.addBook(
      'songs.epub',
      epub({
        items: [{ name: 'song.mp3', mediaType: 'audio/mp3', bytes: song }],
        members: [{ name: 'OEBPS/song.mp3', bytes: song, method }],
      }),
    )
    const reader = await server.person('reader')
    const ask = async (range?: string) => {
      const response = await fetch(`${server.url}/api/v1/books/${id}/resources/OEBPS/song.mp3`, {
        headers: { authorization: `Bearer ${reader.accessToken}`, ...(range !== undefined && { range }) },
      })
      const { status, headers } = response
      const values = ['content-type', 'content-range', 'accept-ranges'].map((name) => headers.get(name))
      return { status, said: values, bytes: Buffer.from(await response.arrayBuffer()), headers }
    }
    const full = await ask()
    expect([full.status, full.said, full.bytes.equals(song)]).toEqual([200, ['audio/mpeg', null, 'bytes'], true])
    expect(full.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox; frame-ancestors 'none'")
    const part = await ask('bytes=300000-599999')
    expect([part.status, part.said]).toEqual([206, ['audio/mpeg', 'bytes 300000-599999/700000', 'bytes']])
    expect(part.bytes.equals(song.subarray(300_000, 600_000))).toBe(true)
    expect((await ask('bytes=-5')).bytes).toEqual(song.subarray(-5))
    expect((await ask('bytes=700000-')).status).toBe(416)
  },
)

test('E9 what stands around words that are found is whole words', async () => {
  await using shelf = await fillShelf(server)
  const words = Array.from({ length: 60 }, (_, index) => `wandering${index}merchantmen`)
  const lines = Array.from({ length: 15 }, (_, line) => words.slice(line * 4, line * 4 + 4).join(' '))
  const id = await shelf.addBook('one.pdf', pdfFile({ pages: [{ text: lines }] }))
  const reader = await server.person('reader')

  const query = { q: 'wandering30merchantmen' }
  const [hit] = bodyOf(await reader.call(api.searchInBook, { params: { id }, query })).results
  const around = `${hit?.before} ${hit?.after}`.trim().split(/\s+/)
  expect(around.length).toBeGreaterThan(3)
  expect(around.filter((word) => !words.includes(word))).toEqual([])
})
