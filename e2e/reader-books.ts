import * as api from '@carrel/api'
import { encryptionDocument, epub } from '../packages/server/test/books/epub.ts'
import { comicInfoXml } from '../packages/server/test/books/metadata.ts'
import { jpeg } from '../packages/server/test/books/pictures.ts'
import { pdfFile } from '../packages/server/test/books/pdf.ts'
import { zip, type ZipMember } from '../packages/server/test/books/zip.ts'
import { bodyOf } from '../packages/server/test/outcome.ts'
import type { Visitor } from '../packages/server/test/smoke/carrel.ts'
import { type App, hostileTitle, scannedLibrary, startApp } from './app.ts'

type PageOptions = readonly [width: number, height: number]

const upright: PageOptions = [240, 360]
const wide: PageOptions = [480, 360]

const pagesOf = (seed: number, pages: readonly PageOptions[]): ZipMember[] =>
  pages.map(([width, height], index) => ({
    name: `${String(index + 1).padStart(3, '0')}.jpg`,
    bytes: jpeg({ width, height, seed: seed * 100 + index, detail: 3 }),
    method: 'stored',
  }))

const comic = (seed: number, pages: readonly PageOptions[], info: Readonly<Record<string, string | number>>): Buffer =>
  zip([...pagesOf(seed, pages), { name: 'ComicInfo.xml', bytes: Buffer.from(comicInfoXml(info)), method: 'stored' }])

/** Its third page says something else than what is there: the server refuses to call it a picture. */
const damaged = (): Buffer =>
  zip(
    pagesOf(
      50,
      Array.from({ length: 4 }, () => upright),
    ).map((page, index) => (index === 2 ? broken(page) : page)),
  )

const broken = (page: ZipMember): ZipMember => ({ ...page, says: { crc32: 1 } })

/** It is a long strip as found on the internet: slices of one width, among them one a pixel high and one very tall. */
const slices: readonly PageOptions[] = [
  ...Array.from({ length: 6 }, (): PageOptions => [400, 900]),
  [1, 1],
  [100, 20_000],
  ...Array.from({ length: 6 }, (): PageOptions => [400, 300]),
]

/** Says that its text is for those with a key. */
const protection = Buffer.from(
  encryptionDocument('OEBPS/text/ch1.xhtml', 'http://www.w3.org/2001/04/xmlenc#aes256-cbc'),
)

export interface ReaderApp extends App {
  /** The path is the title of the series and the number. */
  readonly idOf: (path: string) => string
}

/** Books of every kind that the reader shows, and one that it does not. */
export const startReaderApp = async (env: Readonly<Record<string, string>> = {}): Promise<ReaderApp> => {
  const app = await startApp({ books: [], env })
  const { folder } = app
  const spreads = [...Array.from({ length: 4 }, () => upright), wide, ...Array.from({ length: 3 }, () => upright)]
  await folder.write('Saga/Saga 1.cbz', comic(1, spreads, { Series: 'Saga', Number: 1, Title: 'Saga One' }))
  await folder.write('Saga/Saga 2.cbz', comic(2, spreads, { Series: 'Saga', Number: 2, Title: hostileTitle }))
  const rightToLeft = { Series: 'Manga', Number: 1, Title: 'Manga One', Manga: 'YesAndRightToLeft' }
  await folder.write('Manga/Manga 1.cbz', comic(3, spreads, rightToLeft))
  await folder.write('Strip/Strip 1.cbz', comic(4, slices, { Series: 'Strip', Number: 1, Title: 'Strip One' }))
  await folder.write('Damaged/Damaged 1.cbz', damaged())
  const paper = { jpeg: { bytes: jpeg({ width: 300, height: 400, seed: 9 }), width: 300, height: 400 } }
  await folder.write('Paper/Paper 1.pdf', pdfFile({ pages: [paper, paper, paper] }))
  await folder.write('Novel/Novel 1.epub', epub({ members: [{ name: 'META-INF/encryption.xml', bytes: protection }] }))
  const libraryId = await scannedLibrary(app.admin, folder.path)
  const { data } = bodyOf(await app.admin.call(api.listBooks, { query: { libraryId } }))
  const idOf = (path: string): string => {
    const book = data.find((each) => each.path?.endsWith(path))
    if (!book) throw new Error(`There is no book ${path}`)
    return book.id
  }
  return { ...app, libraryId, idOf }
}

/** The hint for those who read for the first time is gone for this person. */
export const knowsHowToTurn = async ({ call }: Visitor): Promise<void> => {
  bodyOf(await call(api.savePreference, { params: { key: 'web.reader.hint' }, body: { value: 'seen' } }))
}
