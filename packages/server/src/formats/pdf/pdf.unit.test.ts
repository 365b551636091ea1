import { readFileSync } from 'node:fs'
import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { drawnPage, pdfCorpus } from '../../../test/books/pdf-corpus.ts'
import { candidateOf, openPdfBook } from '../../../test/books/pdf-book.ts'
import { firstExtraObject, type Jpeg, pdfFile } from '../../../test/books/pdf.ts'
import type { OpenBook, TextPart } from '../book-format.ts'
import { pdfFormat } from './pdf.ts'

interface Expected {
  readonly pages: readonly object[]
  readonly outline: readonly object[]
  readonly text: readonly string[]
}
const expectedFile = new URL('../../../test/books/pdf-expected.json', import.meta.url)
const expected = JSON.parse(readFileSync(expectedFile, 'utf8')) as Record<string, Expected>

let corpus: Readonly<Record<string, Buffer>>
let drawn: Jpeg

beforeAll(async () => {
  corpus = await pdfCorpus()
  drawn = await drawnPage(0)
})

const textOf = async (book: OpenBook): Promise<TextPart[]> => {
  const parts: TextPart[] = []
  for await (const part of book.text?.() ?? []) parts.push(part)
  return parts
}

describe('the corpus', () => {
  test.each(Object.keys(expected))('%s: text, outline, page labels and sizes are as expected', async (name) => {
    for (const variant of [name, `${name}, protected against changes`]) {
      const book = await openPdfBook(corpus[variant] ?? Buffer.alloc(0))
      const pages = await book.pages()
      const text = await textOf(book)

      expect({
        pages: pages.map(({ name, width, height }) => ({ name, width, height })),
        outline: await book.outline?.(),
        text: text.map((part) => part.text),
      }).toEqual(expected[name])
      expect(text.map((part) => part.page)).toEqual(pages.map((_, index) => index + 1))
      expect(pages.every((page) => page.mediaType === 'image/jpeg' && page.location === undefined)).toBe(true)
      expect(book.warnings).toEqual([])
    }
  })
})

test('a PDF is known by its header within the first 1,024 bytes, whatever stands before it but an archive', () => {
  const pdf = pdfFile({ pages: [{}] })
  const before = (bytes: Buffer | string): Buffer => Buffer.concat([Buffer.from(bytes), pdf])
  const tarHeader = Buffer.alloc(512)
  tarHeader.write('ustar', 257)

  expect(pdfFormat.detect(candidateOf(pdf))).toBe(true)
  expect(pdfFormat.detect(candidateOf(before('\uFEFF')))).toBe(true)
  expect(pdfFormat.detect(candidateOf(before(Buffer.alloc(1019))))).toBe(true)
  expect(pdfFormat.detect(candidateOf(before(Buffer.alloc(1020))))).toBe(false)
  expect(pdfFormat.detect(candidateOf(Buffer.from('%PD')))).toBe(false)
  expect(pdfFormat.detect(candidateOf(Buffer.alloc(0)))).toBe(false)
  expect(pdfFormat.detect({ ...candidateOf(pdf), isFolder: true })).toBe(false)
  for (const archive of ['PK\u0003\u0004', 'Rar!\u001a', Buffer.from('7z\u00bc\u00af', 'latin1'), tarHeader]) {
    expect(pdfFormat.detect(candidateOf(before(archive)))).toBe(false)
  }
})

test('what a PDF says about itself in its information dictionary is one layer', async () => {
  const book = await openPdfBook(corpus['novel'] ?? Buffer.alloc(0))

  expect(await book.metadata()).toMatchObject([
    {
      source: 'file:pdf',
      book: {
        title: 'The Lighthouse',
        summary: 'A keeper counts ships.',
        authors: [{ name: 'Ada Blanc' }, { name: 'Jean Noir' }],
        tags: ['sea', 'night'],
      },
    },
  ])
})

describe('the packet of XMP and the language of a document', () => {
  const xmp = (publisher: string): string => {
    const packet = `<?xpacket?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:publisher><rdf:Bag><rdf:li>${publisher}</rdf:li></rdf:Bag></dc:publisher></rdf:Description></rdf:RDF></x:xmpmeta>`
    return `<< /Type /Metadata /Subtype /XML /Length ${Buffer.byteLength(packet)} >>\nstream\n${packet}\nendstream`
  }
  const wordsOn = async (bytes: Buffer): Promise<(string | undefined)[]> => {
    const [layer] = await (await openPdfBook(bytes)).metadata()
    return [layer?.book.publisher, layer?.book.language]
  }
  const extraObjects = [xmp('Maison Blanche é漫'), xmp('The camera of a picture')]
  const [first, second] = [firstExtraObject, firstExtraObject + 1]
  const inCatalog = (catalog: string): Buffer => pdfFile({ pages: [{}], extraObjects, catalog })

  test('are those its catalog names', async () => {
    expect(await wordsOn(inCatalog(`/Metadata ${first} 0 R /Lang (fr-CA)`))).toEqual(['Maison Blanche é漫', 'fr-CA'])
    expect(await wordsOn(inCatalog(`/Metadata ${second} 0 R`))).toEqual(['The camera of a picture', undefined])
    expect(await wordsOn(inCatalog(''))).toEqual([undefined, undefined])
  })

  test('are found at both ends of a large file, and not between them', async () => {
    const spread = (before: number, after: number): Buffer => {
      const padding = (length: number): string => `<< /Length ${length} >>\nstream\n${' '.repeat(length)}\nendstream`
      return pdfFile({
        pages: [{}],
        extraObjects: [padding(before), xmp('Somebody'), padding(after)],
        catalog: `/Metadata ${second} 0 R`,
      })
    }
    expect(await wordsOn(spread(0, 1_000_000))).toEqual(['Somebody', undefined])
    expect(await wordsOn(spread(1_000_000, 0))).toEqual(['Somebody', undefined])
    expect(await wordsOn(spread(600_000, 600_000))).toEqual([undefined, undefined])
  })
})

test('a page is rendered on white, upright, to the wished size', async () => {
  const book = await openPdfBook(
    pdfFile({
      pages: [
        { jpeg: drawn, mediaBox: [0, 0, 384, 576] },
        // Its lower left quarter is red.
        { drawing: '1 0 0 rg 0 0 100 200 re f', mediaBox: [0, 0, 200, 400], rotate: 90 },
      ],
    }),
  )
  const pixelsOf = async (page: number, maxEdge?: number) => {
    const picture = await book.readPage(page, maxEdge === undefined ? {} : { maxEdge })
    expect(picture.mediaType).toBe('image/jpeg')
    const { data, info } = await sharp(picture.bytes).raw().toBuffer({ resolveWithObject: true })
    const at = (x: number, y: number): number[] => [
      ...data.subarray((y * info.width + x) * 3, (y * info.width + x) * 3 + 3),
    ]
    return { size: [info.width, info.height], at }
  }
  const near = (colour: readonly number[]) => colour.map((value) => expect.closeTo(value, -1.3))

  const scan = await pixelsOf(1)
  expect(scan.size).toEqual([1600, 2400])
  expect(scan.at(10, 10)).toEqual(near([0, 0, 0]))
  expect(scan.at(800, 1200)).toEqual(near([200, 200, 200]))
  expect((await pixelsOf(1, 300)).size).toEqual([200, 300])

  // Turned clockwise, what was below on the left is above on the left.
  const turned = await pixelsOf(2, 400)
  expect(turned.size).toEqual([400, 200])
  expect(turned.at(50, 50)).toEqual(near([255, 0, 0]))
  expect(turned.at(350, 50)).toEqual(near([255, 255, 255]))
  expect(turned.at(50, 150)).toEqual(near([255, 255, 255]))

  const cover = await book.readCover()
  expect(await sharp(cover?.bytes).metadata()).toMatchObject({ format: 'jpeg', width: 533, height: 800 })
})

test('a page that is not there cannot be read', async () => {
  const book = await openPdfBook(pdfFile({ pages: [{}, {}] }))

  for (const number of [-1, 0, 3, 1e9]) {
    await expect(book.readPage(number)).rejects.toMatchObject({ name: 'BookFault', code: 'damaged' })
  }
})

test('a book is known again by its bytes alone', async () => {
  const book = await openPdfBook(corpus['plain'] ?? Buffer.alloc(0))
  const same = await openPdfBook(corpus['plain'] ?? Buffer.alloc(0))
  const other = await openPdfBook(corpus['scan'] ?? Buffer.alloc(0))
  const fingerprints = await book.fingerprints()

  expect(await same.fingerprints()).toEqual(fingerprints)
  expect((await other.fingerprints()).file).not.toBe(fingerprints.file)
  expect(fingerprints.content).toBe(fingerprints.file)
  expect(fingerprints.pages).toBeUndefined()
  expect(fingerprints.koreader).toMatch(/^[0-9a-f]{32}$/)
})

test('a book that is closed twice is closed once, and answers no more', async () => {
  const book = await openPdfBook(corpus['plain'] ?? Buffer.alloc(0))
  const other = await openPdfBook(corpus['plain'] ?? Buffer.alloc(0))
  book.close()
  book.close()

  await expect(book.readPage(1)).rejects.toThrow('closed')
  expect((await other.readCover())?.mediaType).toBe('image/jpeg')
})

test('a page can be cut out, and is a document of its own that shows the same', async () => {
  for (const name of Object.keys(expected).flatMap((each, index) =>
    index === 0 ? [each, `${each}, protected against changes`] : [each],
  )) {
    const book = await openPdfBook(corpus[name] ?? Buffer.alloc(0))
    const pages = await book.pages()
    const number = pages.length
    const cut = await book.cutPage?.(number, 1024 * 1024)
    const alone = await openPdfBook(cut ?? Buffer.alloc(0))
    const [page, ...more] = await alone.pages()
    expect([name, more.length, page?.width, page?.height]).toEqual([name, 0, pages.at(-1)?.width, pages.at(-1)?.height])
    expect([name, (await alone.readPage(1)).bytes.equals((await book.readPage(number)).bytes)]).toEqual([name, true])
    await expect(book.cutPage?.(number, 100)).rejects.toMatchObject({ code: 'limit' })
    await expect(book.cutPage?.(number + 1, 1024 * 1024)).rejects.toMatchObject({ code: 'damaged' })
    // Nothing of it is left behind.
    expect((await book.pages()).length).toBe(number)
    alone.close()
    book.close()
  }
})
