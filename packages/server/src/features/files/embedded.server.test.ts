import { createHash } from 'node:crypto'
import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, sha } from '../../../test/file-requests.ts'
import { comicInfoXml } from '../../../test/books/metadata.ts'
import { epub } from '../../../test/books/epub.ts'
import { tinyJpeg } from '../../../test/books/pictures.ts'
import { rar4Archive } from '../../../test/books/rar.ts'
import { memoryFile, zip } from '../../../test/books/zip.ts'
import { libraryFolder, type LibraryFolder } from '../../../test/library-folder.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { addLibraryOn, booksOf, scanNow } from '../../../test/scanning.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'
import { readZipDirectory, readZipEntry } from '../../formats/archive/zip.ts'

/** Each test reads its own books, and all share a server. */
let server: TestServer
let reader: Person
let editor: Person
let folder: LibraryFolder
let ids: ReadonlyMap<string, string>

const pages = [1, 2, 3].map((n) => ({ name: `${n}.jpg`, bytes: tinyJpeg(n), method: 'stored' as const }))
const described = (fields: Readonly<Record<string, string | number>>) => Buffer.from(comicInfoXml(fields))
const files: Readonly<Record<string, Buffer>> = {
  'Saga/Saga 01.cbz': zip(
    [{ name: 'COMICINFO.xml', bytes: described({ Series: 'Saga', Number: 1, Notes: 'kept' }) }, ...pages],
    {
      comment: Buffer.from('a comment'),
    },
  ),
  'Saga/Saga 02.cbz': zip(
    pages.map((page) => ({ ...page, hasDescriptor: true, isZip64: true })),
    { isZip64: true },
  ),
  'Saga/Saga 03.cbr': rar4Archive(pages.map(({ name, bytes }) => ({ name, bytes }))),
  'Saga/Saga 04.cbz': zip([
    { name: 'x/1.jpg', bytes: tinyJpeg(4) },
    { name: 'x/ComicInfo.xml', bytes: described({ Series: 'Saga', Number: 4 }) },
    { name: 'locked.jpg', bytes: Buffer.from('sealed'), method: 'stored', flags: 1 },
  ]),
  'Saga/Saga 05/a.jpg': tinyJpeg(5),
  'Saga/Saga 05/b.jpg': tinyJpeg(6),
  'Odd/cut off.cbz': zip([{ name: '1.jpg', bytes: tinyJpeg(8) }]).subarray(0, -40),
  'Odd/described too often.cbz': zip([
    { name: '1.jpg', bytes: tinyJpeg(7) },
    ...Array.from({ length: 101 }, (_, n) => ({ name: `${n}/ComicInfo.xml`, bytes: described({ Series: 'Odd' }) })),
  ]),
  'Odd/signed.epub': epub({ members: [{ name: 'META-INF/signatures.xml', bytes: Buffer.from('<signatures/>') }] }),
  'Whale/whale.epub': epub({ title: 'Old title', font: 'idpf' }),
}

beforeAll(async () => {
  server = await startServer({ env: { CARREL_SETTING_COMPAT_ENABLED: 'true' } })
  folder = await libraryFolder()
  for (const [name, bytes] of Object.entries(files)) await folder.write(name, bytes)
  const library = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, library)
  ids = new Map([...(await booksOf(server, library))].map(([path, { id }]) => [path, id]))
  reader = await server.person('reader')
  editor = await server.person('editor')
})
afterAll(async () => {
  await folder[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const idOf = (path: string): string => ids.get(path) ?? ''
const fileOf = (path: string, query = '?metadata=embedded') => `/api/v1/books/${idOf(path)}/file${query}`
const edit = async (path: string, body: api.BookMetadataPatch) =>
  bodyOf(await editor.call(api.editBookMetadata, { params: { id: idOf(path) }, body }))

const contentOf = (bytes: Buffer): ReadonlyMap<string, Buffer> => {
  const file = memoryFile(bytes)
  const { entries } = readZipDirectory(file)
  return new Map(
    entries.flatMap((entry) =>
      entry.isEncrypted ? [] : [[entry.name, readZipEntry(file, entry, { bytesMax: 1e7 })] as const],
    ),
  )
}

test('C26 a comic comes with what is shown of it, and with every page as it was', async () => {
  await edit('Saga/Saga 01.cbz', { title: 'Tea & Rain', genres: ['Fantasy'] })
  const { status, headers, bytes } = await ask(server, reader, fileOf('Saga/Saga 01.cbz'))
  const content = contentOf(bytes)

  expect([status, headers.get('x-carrel-metadata'), headers.get('content-length')]).toEqual([
    200,
    'embedded',
    String(bytes.length),
  ])
  expect([...content.keys()]).toEqual(['1.jpg', '2.jpg', '3.jpg', 'ComicInfo.xml'])
  for (const page of pages) expect(content.get(page.name)).toEqual(page.bytes)
  const xml = String(content.get('ComicInfo.xml'))
  expect(xml).toContain('<Title>Tea &amp; Rain</Title>')
  expect(xml).toContain('<Genre>Fantasy</Genre>')
  expect(xml).toContain('<Notes>kept</Notes>')
  expect(bytes.toString('latin1')).toMatch(/a comment$/)
  const plain = await ask(server, reader, fileOf('Saga/Saga 01.cbz', ''))
  expect([sha(plain.bytes), plain.headers.get('x-carrel-metadata')]).toEqual([
    sha(files['Saga/Saga 01.cbz'] ?? Buffer.alloc(0)),
    'original',
  ])
})

test('C26 a description in a folder of the archive gives way, and members that are locked are sent on', async () => {
  const { bytes } = await ask(server, reader, fileOf('Saga/Saga 04.cbz'))
  expect(readZipDirectory(memoryFile(bytes)).entries.map(({ name }) => name)).toEqual([
    'x/1.jpg',
    'locked.jpg',
    'ComicInfo.xml',
  ])
  expect(bytes.includes('sealed')).toBe(true)
})

test('C26 LIB-8 its parts are those of the whole, wherever it is cut, and a download can be gone on with', async () => {
  for (const path of ['Saga/Saga 01.cbz', 'Saga/Saga 02.cbz', 'Whale/whale.epub', 'Saga/Saga 05']) {
    const full = await ask(server, reader, fileOf(path))
    const etag = full.headers.get('etag') ?? ''
    const size = full.bytes.length
    const { start, members } = readZipDirectory(memoryFile(full.bytes))
    const offsets = [0, 1, ...members.slice(-3).map(({ headerOffset }) => headerOffset), start, size - 22, size - 1]
    const cuts = [...new Set(offsets.flatMap((offset) => [offset - 1, offset, offset + 1]))].filter(
      (cut) => cut >= 0 && cut < size,
    )
    for (const [index, from] of cuts.entries()) {
      const to = cuts[(index * 7 + 3) % cuts.length] ?? size
      const last = Math.max(from, to)
      const part = await ask(server, reader, fileOf(path), { range: `bytes=${from}-${last}`, 'if-range': etag })
      expect([path, part.status, part.headers.get('content-range'), sha(part.bytes)]).toEqual([
        path,
        206,
        `bytes ${from}-${last}/${size}`,
        sha(full.bytes.subarray(from, last + 1)),
      ])
    }
    const half = Math.floor(size / 2)
    const first = await ask(server, reader, fileOf(path), { range: `bytes=0-${half - 1}` })
    const rest = await ask(server, reader, fileOf(path), { range: `bytes=${half}-`, 'if-range': etag })
    expect(Buffer.concat([first.bytes, rest.bytes]).equals(full.bytes)).toBe(true)
    const head = await ask(server, reader, fileOf(path), { method: 'HEAD' })
    expect([head.headers.get('content-length'), head.headers.get('etag')]).toEqual([String(size), etag])
    expect((await ask(server, reader, fileOf(path), { 'if-none-match': etag })).status).toBe(304)
    expect((await ask(server, reader, fileOf(path), { range: `bytes=${size}-` })).status).toBe(416)
  }
})

test('C26 what is shown changes, and with it the tag: the rest of the old file is not asked for any more', async () => {
  const path = 'Saga/Saga 02.cbz'
  const before = await ask(server, reader, fileOf(path))
  await edit(path, { summary: 'Now it has one.' })
  const after = await ask(server, reader, fileOf(path), {
    range: 'bytes=100-',
    'if-range': before.headers.get('etag') ?? '',
  })
  expect(after.status).toBe(200)
  expect(String(contentOf(after.bytes).get('ComicInfo.xml'))).toContain('Now it has one.')
  expect(after.headers.get('etag')).not.toBe(before.headers.get('etag'))
  const plain = await ask(server, reader, fileOf(path, ''), { 'if-none-match': before.headers.get('etag') ?? '' })
  expect(plain.status).toBe(200)
})

test('C26 an EPUB comes with its package anew, and is the EPUB it was in all else', async () => {
  const path = 'Whale/whale.epub'
  await edit(path, { title: 'The Whale', summary: 'Of a whale.' })
  const { bytes, headers } = await ask(server, reader, fileOf(path))
  const [before, after] = [contentOf(files[path] ?? Buffer.alloc(0)), contentOf(bytes)]

  expect(headers.get('content-type')).toBe('application/epub+zip')
  expect(bytes.toString('latin1', 30, 58)).toBe('mimetypeapplication/epub+zip')
  expect([...after.keys()].toSorted()).toEqual([...before.keys()].toSorted())
  const others = (content: ReadonlyMap<string, Buffer>) => [...content].filter(([name]) => name !== 'OEBPS/package.opf')
  expect(new Map(others(after))).toEqual(new Map(others(before)))
  const opf = String(after.get('OEBPS/package.opf'))
  expect(opf).toMatch(/<dc:title[^>]*>The Whale</)
  expect(opf).not.toContain('Old title')
})

test('C26 what is sent is read here as what was shown', async () => {
  await edit('Saga/Saga 01.cbz', {
    title: 'Read back',
    summary: 'One.\n\nTwo.',
    number: '1',
    year: 2001,
    authors: [{ name: 'Ann', role: 'writer' }],
    tags: ['a', 'b'],
    languageIso: 'de',
    ageRating: 13,
  })
  await edit('Whale/whale.epub', { title: 'Read back', authors: [{ name: 'Ann', role: 'author' }], year: 1851 })
  await using other = await startServer()
  await using elsewhere = await libraryFolder()
  const sent = ['Saga/Saga 01.cbz', 'Whale/whale.epub']
  for (const path of sent) await elsewhere.write(path, (await ask(server, reader, fileOf(path))).bytes)
  const library = await addLibraryOn(other, { roots: [elsewhere.path] })
  await scanNow(other, library)
  const books = await booksOf(other, library)
  const somebody = await other.person('reader')
  for (const path of sent) {
    const there = bodyOf(await somebody.call(api.readBook, { params: { id: books.get(path)?.id ?? '' } })).metadata
    const here = bodyOf(await reader.call(api.readBook, { params: { id: idOf(path) } })).metadata
    const compared = ({ title, summary, number, year, authors, languageIso, ageRating }: typeof here) => ({
      title,
      summary,
      year,
      languageIso,
      ageRating,
      ...(path.endsWith('.cbz') && { number }),
      authors: authors.map(({ name, role }) => [name, role]),
    })
    expect(compared(there)).toEqual(compared(here))
  }
})

test('C26 files that cannot carry it come as they lie there, and say so', async () => {
  for (const path of ['Saga/Saga 03.cbr', 'Odd/cut off.cbz', 'Odd/described too often.cbz', 'Odd/signed.epub']) {
    const { status, headers, bytes } = await ask(server, reader, fileOf(path))
    expect([path, status, headers.get('x-carrel-metadata'), sha(bytes)]).toEqual([
      path,
      200,
      'original',
      sha(files[path] ?? Buffer.alloc(0)),
    ])
  }
})

test('C26 who wants it so gets every file with it, by profile or by API key', async () => {
  const fan = await server.person('reader')
  const headerOf = async (headers: Record<string, string>, path: string) =>
    (await fetch(server.url + path, { headers })).headers.get('x-carrel-metadata')
  const bearer = { authorization: `Bearer ${fan.accessToken}` }
  const id = idOf('Saga/Saga 01.cbz')
  const addresses = [`/api/v1/books/${id}/file`, `/opds/v1/books/${id}/file/Saga.cbz`, `/komga/api/v1/books/${id}/file`]
  const keyOf = async (downloadMetadata: api.DownloadMetadata | null) => ({
    'x-api-key': bodyOf(await fan.call(api.createApiKey, { body: { name: 'Tablet', downloadMetadata } })).key,
  })
  const [own, embedded, original] = [await keyOf(null), await keyOf('embedded'), await keyOf('original')]
  const seen = async (path: string) =>
    Promise.all([bearer, own, embedded, original].map((headers) => headerOf(headers, path)))

  expect(await seen(addresses[0] ?? '')).toEqual(['original', 'original', 'embedded', 'original'])
  await fan.call(api.updateProfile, { body: { downloadMetadata: 'embedded' } })
  expect(await seen(addresses[0] ?? '')).toEqual(['embedded', 'embedded', 'embedded', 'original'])
  expect(await headerOf(bearer, `${addresses[0]}?metadata=original`)).toBe('original')
  for (const address of addresses) expect([address, await headerOf(embedded, address)]).toEqual([address, 'embedded'])
  const entry = async (headers: Record<string, string>) =>
    (await fetch(`${server.url}/opds/v1/books/${id}`, { headers })).text()
  expect(await entry(embedded)).not.toMatch(/acquisition"[^>]*length=/)
  expect(await entry(original)).toMatch(/acquisition"[^>]*length=/)
})

test('C26 a series comes with it in each of its books', async () => {
  const { seriesId } = bodyOf(await reader.call(api.readBook, { params: { id: idOf('Saga/Saga 01.cbz') } }))
  const { status, headers, bytes } = await ask(server, reader, `/api/v1/series/${seriesId}/download?metadata=embedded`)
  expect([status, headers.get('content-length'), headers.get('x-carrel-metadata')]).toEqual([200, null, 'embedded'])
  const content = contentOf(bytes)
  const books = [...content].filter(([name]) => name.endsWith('.cbz'))
  expect(books).toHaveLength(3)
  for (const [, book] of books) expect(contentOf(book).has('ComicInfo.xml')).toBe(true)
  expect([...content.keys()].filter((name) => name.endsWith('/ComicInfo.xml'))).toHaveLength(1)
  expect([...content.values()].some((book) => book.equals(files['Saga/Saga 03.cbr'] ?? Buffer.alloc(0)))).toBe(true)
})

test('HTTP-3 W9 C26 what was sent of a series to one viewer is not called what another is shown of it', async () => {
  const { seriesId } = bodyOf(await reader.call(api.readBook, { params: { id: idOf('Saga/Saga 01.cbz') } }))
  const other = await server.person('reader', { access: { ageCeiling: 18, includeUnrated: true } })
  const path = `/api/v1/series/${seriesId}/download?metadata=embedded`
  const tag = (await ask(server, reader, path)).headers.get('etag') ?? ''

  const statusFor = async (person: Person) => (await ask(server, person, path, { 'if-none-match': tag })).status
  expect([await statusFor(reader), await statusFor(other)]).toEqual([304, 200])
})

/** KOReader makes the digest like this, from up to twelve samples of a file. */
const partialMd5 = (file: Buffer): string => {
  const samples = [0, ...Array.from({ length: 11 }, (_, index) => 1024 * 4 ** index)].filter(
    (from) => from < file.length,
  )
  return createHash('md5')
    .update(Buffer.concat(samples.map((from) => file.subarray(from, from + 1024))))
    .digest('hex')
}

test('C26 KOR-1 KOReader keeps its place in a file that was sent with metadata in it', async () => {
  const { bytes } = await ask(server, reader, fileOf('Saga/Saga 01.cbz'))
  const { key } = bodyOf(await reader.call(api.createApiKey, { body: { name: 'Kobo' } }))
  const body = { document: partialMd5(bytes), progress: '2', percentage: 2 / 3, device: 'Kobo', device_id: 'K-1' }
  const reply = await fetch(`${server.url}/koreader/syncs/progress`, {
    method: 'PUT',
    headers: { 'x-auth-user': key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

  expect(body.document).not.toBe(partialMd5(files['Saga/Saga 01.cbz'] ?? Buffer.alloc(0)))
  expect(reply.status).toBe(200)
  const progress = bodyOf(await reader.call(api.readProgress, { params: { id: idOf('Saga/Saga 01.cbz') } }))
  expect(progress?.currentPage).toBe(2)
})
