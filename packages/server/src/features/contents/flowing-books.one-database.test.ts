import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fictionBook } from '../../../test/books/fb2.ts'
import { calibreFixture } from '../../../test/books/fixtures/fixtures.ts'
import { mobiFile } from '../../../test/books/mobi.ts'
import { zip } from '../../../test/books/zip.ts'
import { type LibraryFolder, libraryFolder } from '../../../test/library-folder.ts'
import { bodyOf, errorOf } from '../../../test/outcome.ts'
import { addLibraryOn, booksOf, scanNow } from '../../../test/scanning.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'

const zipped = (text: string): Buffer => zip([{ name: 'книга.fb2', bytes: Buffer.from(text) }])

/** One of each kind, and what must not stop it. */
const files: Readonly<Record<string, Buffer>> = {
  'Whale/old.mobi': calibreFixture('whale-mobi6.mobi'),
  'Whale/both.mobi': calibreFixture('whale-joint.mobi'),
  'Whale/young.azw3': calibreFixture('whale-kf8.azw3'),
  'Whale/young too.azw': calibreFixture('whale-plain.azw3'),
  'Whale/dense.mobi': mobiFile({ packing: 'huffman', text: '<p>The white whale and words</p>', title: 'Dense' }),
  'Whale/plain.fb2': calibreFixture('whale.fb2'),
  'Watch/One.fb2.zip': zipped(fictionBook()),
  'Watch/Two.fbz': zipped(fictionBook({ long: 'Другая' })),
  'Bad/protected.azw3': mobiFile({ encryption: 2, version: 8 }),
  'Bad/cut.mobi': calibreFixture('whale-mobi6.mobi').subarray(0, 4000),
  'Bad/no book.mobi': Buffer.from('This is no book at all.'),
  'Bad/cut.fb2': Buffer.from(fictionBook().slice(0, 300)),
}

let server: TestServer
let folder: LibraryFolder
let reader: Person
let books: Awaited<ReturnType<typeof booksOf>>

beforeAll(async () => {
  server = await startServer()
  folder = await libraryFolder()
  for (const [path, bytes] of Object.entries(files)) await folder.write(path, bytes)
  const libraryId = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, libraryId)
  books = await booksOf(server, libraryId)
  reader = await server.person('reader')
})

afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await folder[Symbol.asyncDispose]()
})

const idOf = (path: string): string => books.get(path)?.id ?? ''

const ask = async (path: string) => {
  const response = await fetch(new URL(path, server.url), {
    headers: { authorization: `Bearer ${reader.accessToken}` },
  })
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    headers: response.headers,
    bytes: Buffer.from(await response.arrayBuffer()),
  }
}

test('LIB-3 LIB-7 Kindle books and FictionBooks are found, known by content and read; bad ones say why', () => {
  const seen = [...books.keys()].sort().map((path) => {
    const book = books.get(path)
    return [path, book?.format, book?.title, (book?.page_count ?? 0) > 0, book?.fault_code]
  })

  const whale = 'The Whale: A Café Tale'
  expect(seen).toEqual([
    ['Bad/cut.fb2', 'fb2', 'cut', false, 'damaged'],
    ['Bad/cut.mobi', 'mobi', 'cut', false, 'damaged'],
    ['Bad/no book.mobi', 'mobi', 'no book', false, 'unknown_format'],
    ['Bad/protected.azw3', 'azw3', 'protected', false, 'encrypted'],
    ['Watch/One.fb2.zip', 'fb2', 'Ночной & дозор', true, null],
    ['Watch/Two.fbz', 'fb2', 'Ночной & дозор', true, null],
    ['Whale/both.mobi', 'mobi', whale, true, null],
    ['Whale/dense.mobi', 'mobi', 'Dense', true, null],
    ['Whale/old.mobi', 'mobi', whale, true, null],
    ['Whale/plain.fb2', 'fb2', whale, true, null],
    ['Whale/young too.azw', 'azw3', whale, true, null],
    ['Whale/young.azw3', 'azw3', whale, true, null],
  ])
  expect(books.get('Bad/protected.azw3')?.fault_message).toBe('The book is protected by DRM and cannot be read here')
})

test('LIB-4 what they say of themselves is what is shown', async () => {
  const detail = bodyOf(await reader.call(api.readBook, { params: { id: idOf('Whale/young.azw3') } }))
  const fiction = bodyOf(await reader.call(api.readBook, { params: { id: idOf('Watch/One.fb2.zip') } }))

  expect(detail).toMatchObject({
    fileFormat: 'azw3',
    metadata: { publisher: 'Harper Example', year: 1851, languageIso: 'en', summary: 'A tale of the sea.' },
  })
  expect(fiction).toMatchObject({
    fileFormat: 'fb2',
    metadata: { publisher: 'АСТ', year: 2004, genres: ['Fantasy', 'my own'] },
  })
})

const readable = ['Whale/old.mobi', 'Whale/both.mobi', 'Whale/young.azw3', 'Whale/plain.fb2', 'Watch/One.fb2.zip']

test.each(readable)('C17 READ-1 %s is read through the doors EPUBs are read through', async (path) => {
  const params = { id: idOf(path) }
  expect(bodyOf(await reader.call(api.listPages, { params }))).toEqual([])
  const manifest = bodyOf(await reader.call(api.readManifest, { params }))
  expect(manifest.metadata).toMatchObject({ layout: 'reflowable', numberOfPages: books.get(path)?.page_count })
  const address = (href: string) => new URL(href, `${server.url}/api/v1/books/${params.id}/manifest`).href
  for (const { href, type } of manifest.readingOrder) {
    const chapter = await ask(address(href))
    expect([href, chapter.status, chapter.type]).toEqual([href, 200, `${type}; charset=utf-8`])
    expect(chapter.headers.get('content-security-policy')).toContain("default-src 'none'; sandbox")
    expect(chapter.bytes.toString()).toMatch(/^<\?xml .*<body/s)
  }
  for (const { href, type } of manifest.resources)
    expect([href, (await ask(address(href))).status, type]).toEqual([href, 200, type])
  expect((await ask(address('resources/../../etc/passwd'))).status).toBe(404)

  const { positions, total } = bodyOf(await reader.call(api.readPositions, { params }))
  expect([total, positions.at(-1)?.locations.position]).toEqual([books.get(path)?.page_count, total])
  const phrase = path.startsWith('Whale') ? 'DEEP PLACE is' : 'строка'
  const { results } = bodyOf(await reader.call(api.searchInBook, { params, query: { q: phrase } }))
  expect(manifest.readingOrder.map(({ href }) => href)).toContain(results[0]?.locator.href)

  const locator = positions.at(-1)
  if (!locator) throw new Error('There are no positions')
  await reader.call(api.saveProgression, { params, body: { locator, device: { id: path, name: 'Kitchen' } } })
  expect(bodyOf(await reader.call(api.readProgression, { params }))?.locator).toEqual(locator)
  const thumbnail = await ask(`/api/v1/books/${params.id}/thumbnail`)
  expect([thumbnail.status, thumbnail.type]).toEqual([200, 'image/jpeg'])
})

test.each([
  ['Whale/old.mobi', 'application/x-mobipocket-ebook', 'Sea Tales - The Whale - A Café Tale.mobi'],
  ['Whale/young.azw3', 'application/vnd.amazon.ebook', 'Sea Tales - The Whale - A Café Tale.azw3'],
  ['Bad/protected.azw3', 'application/vnd.amazon.ebook', 'Bad - protected.azw3'],
  ['Whale/plain.fb2', 'application/x-fictionbook+xml', 'Sea Tales 2 - The Whale - A Café Tale.fb2'],
  ['Watch/One.fb2.zip', 'application/x-zip-compressed-fb2', 'Дозоры 2.5 - Ночной & дозор.fb2.zip'],
  ['Watch/Two.fbz', 'application/x-zip-compressed-fb2', 'Дозоры 2.5 - Ночной & дозор.fbz'],
])('LIB-8 C24 %s is had as a file of its own kind, readable here or not (%s, %s)', async (path, type, name) => {
  const file = await ask(`/api/v1/books/${idOf(path)}/file`)

  expect([file.status, file.type]).toEqual([200, type])
  const disposition = file.headers.get('content-disposition') ?? ''
  const [, plain = '', spelled = ''] = /filename="(.*?)"(?:; filename\*=UTF-8''(.*))?$/.exec(disposition) ?? []
  expect(spelled === '' ? plain : decodeURIComponent(spelled)).toBe(name)
  expect(file.bytes.equals(files[path] ?? Buffer.alloc(0))).toBe(true)
})

test('C17 one that is protected cannot be read, and says why', async () => {
  const refused = await reader.call(api.readManifest, { params: { id: idOf('Bad/protected.azw3') } })

  expect([refused.status, errorOf(refused).message]).toEqual([422, expect.stringMatching(/protected by DRM/)])
})
