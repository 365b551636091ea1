import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hostilePdfs } from '../../../test/books/hostile-pdf.ts'
import { drawnPage } from '../../../test/books/pdf-corpus.ts'
import { openPdfBook } from '../../../test/books/pdf-book.ts'
import { pdfFile } from '../../../test/books/pdf.ts'
import { BookFault, type OpenBook, type OutlineEntry } from '../book-format.ts'
import { pdfiumUse } from './pdf.ts'

let requests = 0
const canary = createServer((_, response) => {
  requests += 1
  response.end()
})
let books: Readonly<Record<string, Buffer>>

beforeAll(async () => {
  await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve))
  books = hostilePdfs(`http://127.0.0.1:${(canary.address() as AddressInfo).port}`)
})
afterAll(() => void canary.close())

type Answer = string

/** It asks a book every question, and gives the answers in short; a fault is an answer, any other exception is not. */
const answersOf = async (bytes: Buffer): Promise<Record<string, Answer>> => {
  const answers: Record<string, Answer> = {}
  const ask = async <Result>(question: string, answer: () => Promise<Result>, short: (result: Result) => Answer) => {
    try {
      const result = await answer()
      answers[question] = short(result)
      return result
    } catch (error) {
      if (!(error instanceof BookFault)) throw error
      answers[question] = error.code
      return undefined
    }
  }
  const book = await ask(
    'open',
    () => openPdfBook(bytes),
    () => 'ok',
  )
  if (book === undefined) return answers
  await ask(
    'pages',
    () => book.pages(),
    (pages) => String(pages.length),
  )
  await ask(
    'cover',
    () => book.readPage(1, { maxEdge: 100 }),
    (picture) => sizeOf(picture.bytes),
  )
  await ask(
    'outline',
    async () => (await book.outline?.()) ?? [],
    (outline) => measured(outline),
  )
  // A page that cannot be rendered takes as long once more to be read.
  if (answers['cover'] !== 'limit') {
    await ask(
      'text',
      () => firstTexts(book),
      (text) => text,
    )
  }
  await ask(
    'metadata',
    () => book.metadata(),
    () => 'ok',
  )
  if (book.warnings.length > 0) answers['warnings'] = String(book.warnings.length)
  book.close()
  return answers
}

const firstTexts = async (book: OpenBook): Promise<string> => {
  for await (const { text } of book.text?.() ?? []) return text
  return ''
}

const measured = (outline: readonly OutlineEntry[]): string => {
  const depthOf = (entries: readonly OutlineEntry[]): number =>
    entries.length === 0 ? 0 : 1 + Math.max(...entries.map((entry) => depthOf(entry.children)))
  const countOf = (entries: readonly OutlineEntry[]): number =>
    entries.reduce((count, entry) => count + 1 + countOf(entry.children), 0)
  return outline.length === 0 ? 'none' : `${countOf(outline)} in ${depthOf(outline)}`
}

const sizeOf = (jpeg: Buffer): string => {
  // The frame header of a baseline JPEG: two bytes of height, two of width.
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]))
  return `${jpeg.readUInt16BE(frame + 7)}x${jpeg.readUInt16BE(frame + 5)}`
}

const fine = { open: 'ok', pages: '1', outline: 'none', metadata: 'ok' }
const harmless = { ...fine, cover: '71x100', text: 'A harmless page' }
const blank = { ...fine, cover: '100x100', text: '' }

const refused = (code: string): Record<string, Answer> => ({ open: code })
const undrawable = { ...fine, cover: 'limit' }

const expectedAnswers: Readonly<Record<string, Record<string, Answer>>> = {
  'a script on opening': harmless,
  'a script by name': harmless,
  'a program to launch': harmless,
  'an address to open': harmless,
  'another file to open': harmless,
  'a form to send': harmless,
  'a link on the page': harmless,
  'a file inside': harmless,
  'content in another file': blank,
  'content on the disk': blank,
  'a font as a program': harmless,

  'a million pages claimed': refused('limit'),
  '20,001 pages': refused('limit'),
  '20,000 pages': { ...blank, pages: '20000' },
  'more pages claimed than there are': { ...blank, warnings: '1' },
  'only pages that are not there': { ...fine, pages: 'damaged', cover: 'damaged', text: '' },
  'fewer pages than none': blank,
  'no pages': refused('empty'),
  'no tree of pages': refused('empty'),

  'a page of a billion points': { ...harmless, cover: '100x100' },
  'a page as long as a road': { ...harmless, cover: '100x1' },
  'a page as high as a mast': { ...harmless, cover: '1x100' },
  // Letter, as everything else that shows PDFs takes it.
  'a page without any size': { ...harmless, cover: '77x100' },
  'a page inside out': { ...harmless, cover: '50x100' },
  'a page of words': { ...blank, cover: '77x100' },
  'a page with an endless unit': blank,

  'a table that leads to itself': { ...harmless, warnings: '1' },
  'a tree of pages that holds itself': blank,
  'a page that is its own parent': { ...blank, cover: '77x100' },
  'a tree of pages 100,000 deep': refused('crashed'),
  'a drawing that draws itself': undrawable,
  'a hundred thousand open brackets': blank,
  'a catalog of open brackets': refused('empty'),
  'a length that is its own length': blank,
  'a bookmark that follows itself': { ...harmless, outline: '1 in 1' },
  'a bookmark that holds itself': { ...harmless, outline: '3 in 2' },
  'bookmarks 1,000 deep': { ...harmless, outline: '32 in 32' },
  '20,000 bookmarks': { ...harmless, outline: '10000 in 1' },
  'labels that lead to themselves': { ...harmless, warnings: '1' },
  'a bookmark to a page of another file': { ...harmless, outline: '1 in 1' },

  'content without an end': undrawable,
  'an object stream without an end': refused('limit'),
  'a picture of 400 MiB': blank,
  'a picture of ten gigapixels': blank,
  'a picture of more pixels than there are numbers': blank,
  'a predictor of four gigabytes': blank,

  encrypted: refused('encrypted'),
  'encrypted in a way nobody knows': refused('encrypted'),
  'cut in the middle': refused('damaged'),
  'cut after its first line': refused('damaged'),
  'only a header': refused('damaged'),
  'a header and noise': refused('damaged'),
  'a web page with a header': refused('damaged'),
}

test('T-11 a hostile PDF ends in a fault or a bounded answer; nothing in it runs and nothing is fetched', async () => {
  const answers: Record<string, Record<string, Answer>> = {}
  for (const [name, bytes] of Object.entries(books)) answers[name] = await answersOf(bytes)

  expect(answers).toEqual(expectedAnswers)
  expect(requests).toBe(0)
})

test('a bookmark to a page of another file leads to no page of this one', async () => {
  const book = await openPdfBook(books['a bookmark to a page of another file'] ?? Buffer.alloc(0))

  expect(await book.outline?.()).toEqual([{ title: 'elsewhere', children: [] }])
})

test('a book stays open when PDFium breaks down over another', async () => {
  const book = await openPdfBook(pdfFile({ pages: [{ text: ['Still here'] }] }))
  const { heapsGivenUp } = pdfiumUse()
  await expect(openPdfBook(books['a tree of pages 100,000 deep'] ?? Buffer.alloc(0))).rejects.toMatchObject({
    code: 'crashed',
  })

  expect(pdfiumUse().heapsGivenUp).toBe(heapsGivenUp + 1)
  expect(await firstTexts(book)).toBe('Still here')
})

/** A few bytes changed, cut out or said twice, or a number made another. */
const mutation = fc.record({
  at: fc.double({ min: 0, max: 0.9999, noNaN: true }),
  kind: fc.constantFrom('byte', 'cut', 'twice', 'number'),
  value: fc.nat({ max: 255 }),
  length: fc.integer({ min: 1, max: 40 }),
  number: fc.constantFrom('0', '1', '-1', '65536', '2147483647', '4294967296', '1e30', '1 0 R', '[', '<<', 'null'),
})
type Mutation = typeof mutation extends fc.Arbitrary<infer Value> ? Value : never

const mutated = (bytes: Buffer, { at, kind, value, length, number }: Mutation): Buffer => {
  const from = Math.floor(at * bytes.length)
  const parts = (...middle: Buffer[]): Buffer => Buffer.concat([bytes.subarray(0, from), ...middle])
  switch (kind) {
    case 'byte':
      return parts(Buffer.from([value]), bytes.subarray(from + 1))
    case 'cut':
      return parts(bytes.subarray(from + length))
    case 'twice':
      return parts(bytes.subarray(from, from + length), bytes.subarray(from))
    case 'number':
      // The next number after there.
      return Buffer.from(parts().toString('latin1') + bytes.toString('latin1', from).replace(/\d+/, number), 'latin1')
  }
}

test('T-11 a PDF that is damaged anywhere ends in a fault or a bounded answer', async () => {
  const document = pdfFile({
    pages: [
      { text: ['The first page', '漫画'] },
      { jpeg: await drawnPage(0, 120, 160), rotate: 90 },
      { text: ['The last page'], cropBox: [10, 10, 200, 300] },
    ],
    info: { Title: 'A whole book' },
    labels: [{ from: 1, style: 'r' }],
    outline: [{ title: 'One', page: 1, children: [{ title: 'Two', page: 2, byAction: true }] }],
  })
  const opened: Answer[] = []
  await fc.assert(
    fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 6 }), async (mutations) => {
      const { open = '' } = await answersOf(mutations.reduce(mutated, document))
      opened.push(open)
    }),
    { numRuns: 200, seed: 11 },
  )
  // The damage must be neither too small nor too large.
  expect(opened.filter((open) => open === 'ok').length).toBeGreaterThan(50)
  expect(opened.filter((open) => open !== 'ok').length).toBeGreaterThan(10)
})
