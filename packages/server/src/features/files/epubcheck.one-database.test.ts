import * as api from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask } from '../../../test/file-requests.ts'
import { epub, type EpubOptions } from '../../../test/books/epub.ts'
import { epubCheckJar, faultsByEpubCheck, faultsOfEpub } from '../../../test/books/epubcheck.ts'
import { libraryFolder, type LibraryFolder } from '../../../test/library-folder.ts'
import { bodyOf } from '../../../test/outcome.ts'
import { addLibraryOn, booksOf, scanNow } from '../../../test/scanning.ts'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'

/** What a package document may say already, and in which ways: all of it gives way, or stays as it is. */
const refined = `
  <dc:title id="sub">Or, the Whale</dc:title>
  <meta refines="#sub" property="title-type">subtitle</meta>
  <dc:creator id="second">Ann Other</dc:creator>
  <meta refines="#second" property="role" scheme="marc:relators">ill</meta>
  <meta refines="#second" property="file-as">Other, Ann</meta>
  <meta property="belongs-to-collection" id="c01">Of whales</meta>
  <meta refines="#c01" property="collection-type">series</meta>
  <meta refines="#c01" property="group-position">3</meta>
  <meta property="belongs-to-collection" id="c02">Classics</meta>
  <meta refines="#c02" property="collection-type">set</meta>
  <dc:subject>Whales</dc:subject>
  <dc:publisher>Harper</dc:publisher>
  <dc:description>A voyage.</dc:description>
  <meta name="calibre:rating" content="8"/>`
const ofVersion2 = `
  <dc:creator opf:role="ill" opf:file-as="Other, Ann">Ann Other</dc:creator>
  <dc:contributor opf:role="bkp">A program</dc:contributor>
  <dc:subject>Whales</dc:subject>
  <dc:publisher>Harper</dc:publisher>
  <dc:date opf:event="publication">1851</dc:date>
  <meta name="calibre:series" content="Of whales"/>`

const member = (name: string, text: string) => ({ name, bytes: Buffer.from(text) })
const chapters = [1, 2, 3]
const inNav = chapters.map((n) => `<li><a href="text/ch${n}.xhtml">${n}</a></li>`).join('')
const inNcx = chapters
  .map(
    (n) => `<navPoint id="n${n}"><navLabel><text>${n}</text></navLabel><content src="text/ch${n}.xhtml"/></navPoint>`,
  )
  .join('')

const container = member(
  'META-INF/container.xml',
  `<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>
    <rootfile full-path="OEBPS/package.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`,
)

/** One that has no fault at all. */
const sound: EpubOptions = {
  navigation: 'both',
  metadata: '<meta property="dcterms:modified">2001-01-01T00:00:00Z</meta>',
  members: [
    container,
    member(
      'OEBPS/nav.xhtml',
      `<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title>Contents</title></head>
        <body><nav epub:type="toc"><ol>${inNav}</ol></nav></body></html>`,
    ),
    member(
      'OEBPS/toc.ncx',
      `<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1"><head>
        <meta name="dtb:uid" content="urn:uuid:12345678-1234-5678-9abc-def012345678"/></head>
        <docTitle><text>Moby-Dick</text></docTitle><navMap>${inNcx}</navMap></ncx>`,
    ),
  ],
}

/** The others have faults of their own, which they keep. */
const others: readonly (readonly [name: string, options: EpubOptions])[] = [
  ['three.epub', {}],
  ['three, refined.epub', { metadata: refined, series: { title: 'Of whales', position: '3', as: 'calibre' } }],
  ['three, both tables.epub', { navigation: 'both', direction: 'rtl' }],
  ['three, pictures.epub', { layout: 'fixed', font: 'idpf' }],
  ['two.epub', { version: 2 }],
  ['two, by calibre.epub', { version: 2, metadata: ofVersion2 }],
]
const books: Readonly<Record<string, EpubOptions>> = {
  'sound.epub': sound,
  ...Object.fromEntries(others.map(([name, options]) => [name, { members: [container], ...options }])),
}

let server: TestServer
let reader: Person
let folder: LibraryFolder
let ids: ReadonlyMap<string, string>

beforeAll(async () => {
  server = await startServer()
  folder = await libraryFolder()
  for (const [name, options] of Object.entries(books)) await folder.write(`Whales/${name}`, epub(options))
  const library = await addLibraryOn(server, { roots: [folder.path] })
  await scanNow(server, library)
  ids = new Map([...(await booksOf(server, library))].map(([path, { id }]) => [path.replace('Whales/', ''), id]))
  reader = await server.person('reader')
  await sayAll(await server.person('editor'))
})
afterAll(async () => {
  await folder[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

/** Everything that is written into a file, with signs that XML writes otherwise. */
const sayAll = async (editor: Person): Promise<void> => {
  const body = {
    title: 'Tea & <Rain>',
    titleSort: 'Rain',
    subtitle: 'A "voyage"',
    summary: 'One.\n\nTwo & three.',
    number: '2.5',
    year: 2001,
    month: 3,
    day: 4,
    publisher: 'Ours & Co',
    languageIso: 'de',
    genres: ['Fantasy', 'War & Peace'],
    tags: ['a', 'fantasy'],
    authors: [
      { name: 'Ann', role: 'author', sortName: 'Zann' },
      { name: 'Ben', role: 'translator', sortName: null },
      { name: 'Cid', role: 'somebody', sortName: null },
    ],
    externalIds: [{ source: 'isbn', id: '9780306406157' }],
  }
  for (const id of ids.values()) bodyOf(await editor.call(api.editBookMetadata, { params: { id }, body }))
}

const downloaded = async (name: string): Promise<Buffer> => {
  const { status, headers, bytes } = await ask(
    server,
    reader,
    `/api/v1/books/${ids.get(name) ?? ''}/file?metadata=embedded`,
  )
  expect([name, status, headers.get('x-carrel-metadata')]).toEqual([name, 200, 'embedded'])
  expect(bytes.toString()).toContain('Tea &amp; &lt;Rain&gt;')
  return bytes
}

test('C26 EPUBs with what is shown of them in them have no fault that they had not before', async () => {
  for (const [name, options] of Object.entries(books)) {
    const before = await faultsOfEpub(epub(options))
    expect([name, await faultsOfEpub(await downloaded(name))]).toEqual([name, before])
  }
  expect(await faultsOfEpub(await downloaded('sound.epub'))).toEqual([])
})

/** The faults that a program which writes into an EPUB could bring about. */
const spoiled: Readonly<Record<string, EpubOptions>> = {
  'PKG-006': { without: ['mimetype'] },
  'RSC-005': { metadata: '<meta refines="#nobody" property="role" scheme="marc:relators">aut</meta>' },
  'OPF-028': { metadata: '<meta property="nobody:knows">this</meta>' },
  'OPF-053': { metadata: '<dc:date>yesterday</dc:date>' },
}
const spoiledOtherwise: readonly EpubOptions[] = [
  { metadata: '<dc:title id="same">A</dc:title><dc:title id="same">B</dc:title>' },
  { metadata: '<meta property="dcterms:modified">2001-01-01T00:00:00Z</meta>' },
  { metadata: '<dc:title>Tea & Rain</dc:title>' },
]

test('C26 such faults would be seen', async () => {
  const faultsWith = ({ metadata = '', ...options }: EpubOptions) =>
    faultsOfEpub(epub({ ...sound, ...options, metadata: `${sound.metadata ?? ''}${metadata}` }))
  for (const [id, options] of Object.entries(spoiled))
    expect([id, (await faultsWith(options)).some((each) => each.startsWith(id))]).toEqual([id, true])
  for (const options of spoiledOtherwise) expect([options, await faultsWith(options)]).not.toEqual([options, []])
})

const suffix = epubCheckJar === undefined ? ' (not asked here: EPUBCHECK_JAR names no jar)' : ''

/** A start of Java is a second of CPU, and there are two for each book. */
const longest = 600_000

test.skipIf(epubCheckJar === undefined)(
  `C26 EPUBCheck itself finds nothing new in them${suffix}`,
  async () => {
    for (const [name, options] of Object.entries(books)) {
      const before = await faultsByEpubCheck(epubCheckJar ?? '', epub(options))
      expect([name, await faultsByEpubCheck(epubCheckJar ?? '', await downloaded(name))]).toEqual([name, before])
    }
    expect(await faultsByEpubCheck(epubCheckJar ?? '', await downloaded('sound.epub'))).toEqual([])
  },
  longest,
)
