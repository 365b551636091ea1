import * as api from '@carrel/api'
import type { CompatManifest } from '@carrel/api/doors'
import { afterAll, expect, test } from 'vitest'
import { epub } from '../../../../test/books/epub.ts'
import { tinyJpeg } from '../../../../test/books/pictures.ts'
import { basic, compatApp } from '../../../../test/compat-app.ts'
import { doorsOpen } from '../../../../test/contract/inputs.ts'
import { bodyOf } from '../../../../test/outcome.ts'
import { fillShelf } from '../../../../test/shelf.ts'
import { startServer, testPassword } from '../../../../test/start-server.ts'

const base = 'https://books.example/lib'
const server = await startServer({ env: { ...doorsOpen, CARREL_PUBLIC_URL: base, CARREL_BASE_PATH: '/lib' } })
const shelf = await fillShelf(server)
afterAll(async () => {
  await shelf[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const composed = 'text/K\u00f6nig.xhtml'
const names = [
  'text/Kapitel 2 – Übermut.xhtml',
  'text/Straße (Größe) [1] {2}.xhtml',
  'text/100% sure.xhtml',
  'text/50%25 off.xhtml',
  'text/what?.xhtml',
  'text/number #1.xhtml',
  'text/a+b,c;d=e@f.xhtml',
  'Ünter Ordner/tief/第三章.xhtml',
  composed,
]
const picture = 'Ünter Ordner/Bild ä 1.jpg'
const wordsIn = (name: string): string => `Words of ${names.indexOf(name)}`
const bodyWith = (name: string): string =>
  `<h1>${wordsIn(name)}</h1><p id="here"><img src="${'../'.repeat(name.split('/').length - 1)}${encodeURI(picture)}" alt=""/></p>`
const document = (body: string): Buffer =>
  Buffer.from(`<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body>${body}</body></html>`)

const book = await shelf.addBook(
  'Über alles.epub',
  epub({
    chapters: [
      ...names.map((name) => ({ name, title: wordsIn(name), body: bodyWith(name) })),
      { name: 'text/an aside.xhtml', title: 'Aside', body: '<p>Aside</p>', isLinear: false },
    ],
    navigation: 'ncx',
    version: 2,
    items: [{ name: picture, mediaType: 'image/jpeg', bytes: tinyJpeg(3) }],
    // A Mac writes the name like this: its accents are characters of their own.
    without: [`OEBPS/${composed}`],
    members: [{ name: `OEBPS/${composed}`.normalize('NFD'), bytes: document(bodyWith(composed)) }],
  }),
)

const person = await server.person('reader')
const authorization = { authorization: `Bearer ${person.accessToken}` }
const app = compatApp(`${server.url}/lib`, { headers: basic(person.username, testPassword) })
const manifestOf = async () => (await app.send(`/api/v1/books/${book}/manifest`)).json as CompatManifest
const read = (href: string) => app.send(href.slice(`${base}/komga`.length).replace(/#.*$/, ''))

interface Entry {
  readonly href?: string
  readonly children?: readonly Entry[]
}
const hrefsIn = (toc: readonly Entry[]): string[] =>
  toc.flatMap(({ href, children = [] }) => [...(href === undefined ? [] : [href]), ...hrefsIn(children)])

test('C2 an EPUB is read to its end whatever its files are called: chapters, pictures and table of contents', async () => {
  const { readingOrder, resources, toc } = await manifestOf()
  expect(readingOrder).toHaveLength(names.length + 1)
  for (const [index, name] of names.entries()) {
    const chapter = await read(readingOrder[index]?.href ?? '')
    expect([name, chapter.status, chapter.text.includes(wordsIn(name))]).toEqual([name, 200, true])
    const [, shown = ''] = /<img[^>]*src="([^"]*)"/.exec(chapter.text) ?? []
    const image = await read(new URL(shown, readingOrder[index]?.href).href)
    expect([name, image.status, image.headers['content-type']]).toEqual([name, 200, 'image/jpeg'])
  }
  for (const { href } of resources) expect([href, (await read(href)).status]).toEqual([href, 200])
  const contents = hrefsIn(toc as Entry[])
  expect(contents.length).toBeGreaterThanOrEqual(2 * names.length)
  for (const href of contents) expect([href, (await read(href)).status]).toEqual([href, 200])
})

test('C2 where somebody is in a file of any name is understood as an address and as a name, and means the same in our own API', async () => {
  const { readingOrder } = await manifestOf()
  const { positions } = (await app.send(`/api/v1/books/${book}/positions`)).json as { positions: { href: string }[] }
  const own = bodyOf(await person.call(api.readManifest, { params: { id: book } })).readingOrder
  let minute = 0
  for (const [index, name] of names.entries()) {
    const address = readingOrder[index]?.href ?? ''
    const position = positions.find(({ href }) => href.normalize('NFC') === `OEBPS/${name}`)
    for (const href of [address, `${address}#here`, position?.href ?? '', position?.href.normalize('NFD') ?? '']) {
      const modified = new Date(Date.UTC(2026, 1, 1, 0, minute++)).toISOString()
      const locator = { href, type: 'application/xhtml+xml', locations: { progression: 0.5 } }
      const body = { modified, device: { id: 'phone', name: 'Phone' }, locator }
      const reply = await app.send(`/api/v1/books/${book}/progression`, { method: 'PUT', body })
      expect([href, reply.status]).toEqual([href, 204])
      const again = (await app.send(`/api/v1/books/${book}/progression`)).json as { locator: { href: string } }
      expect(again.locator.href).toBe(position?.href)
      const standing = bodyOf(await person.call(api.readProgression, { params: { id: book } }))
      expect(standing?.locator.href).toBe(own[index]?.href)
    }
  }
  const aside = { href: readingOrder.at(-1)?.href, locations: { progression: 0.5 } }
  const body = { modified: '2026-03-01T00:00:00Z', device: { id: 'phone', name: 'Phone' }, locator: aside }
  expect((await app.send(`/api/v1/books/${book}/progression`, { method: 'PUT', body })).status).toBe(204)
})

test('C2 the same book is read to its end through our own API and by the manifest of OPDS', async () => {
  for (const at of [`/api/v1/books/${book}/manifest`, `/opds/v2/books/${book}/manifest`]) {
    const manifest = `${server.url}/lib${at}`
    const reply = await fetch(manifest, { headers: authorization })
    const { readingOrder, resources, toc } = (await reply.json()) as CompatManifest
    expect(readingOrder).toHaveLength(names.length + 1)
    for (const href of [...[...readingOrder, ...resources].map((link) => link.href), ...hrefsIn(toc as Entry[])]) {
      const address = new URL(href, manifest).href.replace(base, `${server.url}/lib`)
      expect([href, (await fetch(address, { headers: authorization })).status]).toEqual([href, 200])
    }
  }
})
