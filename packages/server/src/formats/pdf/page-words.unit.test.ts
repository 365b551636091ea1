import { beforeAll, expect, test } from 'vitest'
import { openPdfBook } from '../../../test/books/pdf-book.ts'
import { pdfCorpus } from '../../../test/books/pdf-corpus.ts'
import { pdfFile } from '../../../test/books/pdf.ts'
import type { PageText, PlacedWord } from '../book-format.ts'

let corpus: Readonly<Record<string, Buffer>>
beforeAll(async () => {
  corpus = await pdfCorpus()
})

const wordsOf = async (bytes: Buffer, number = 1): Promise<PageText> => {
  const book = await openPdfBook(bytes)
  const text = await book.readWords?.(number)
  book.close()
  if (!text) throw new Error('It has no words')
  return text
}

const joined = ({ words }: PageText): string => words.map(({ text }) => text).join('')
const boxOf = ({ left, top, width, height }: PlacedWord) => [left, top, left + width, top + height]

test('F3 the words of a page are, one after the other, the text that is searched', async () => {
  for (const [name, bytes] of Object.entries(corpus)) {
    const book = await openPdfBook(bytes)
    for await (const { page = 0, text } of book.text?.() ?? []) {
      const words = await book.readWords?.(page)
      expect([name, page, words && joined(words).trim()]).toEqual([name, page, text])
    }
    book.close()
  }
})

test('F3 a word stands where it is seen, on pages that are turned and cut too', async () => {
  const placesOf = async (number: number) =>
    (await wordsOf(corpus['manual'] ?? Buffer.alloc(0), number)).words.map((word) => boxOf(word))
  const near = (box: readonly number[]) => box.map((each) => expect.closeTo(each, 1.7))

  expect(await placesOf(1)).toEqual([near([0.17, 0.08, 0.3, 0.1])])
  // Turned to the right it is read downwards.
  expect(await placesOf(2)).toEqual([near([0.9, 0.17, 0.92, 0.29]), near([0.9, 0.3, 0.92, 0.38])])
  expect(await placesOf(3)).toEqual([
    near([0.78, 0.9, 0.83, 0.92]),
    near([0.73, 0.9, 0.77, 0.92]),
    near([0.63, 0.9, 0.72, 0.92]),
  ])
  const cut = await placesOf(5)
  expect(cut).toHaveLength(4)
  expect(cut.flat().every((each) => each >= 0 && each <= 1)).toBe(true)
})

test('F3 a hyphen that only breaks the line is none, and lines have their end', async () => {
  const page = { text: ['A brave exam-', 'ple of a word', 'and the next line'] }
  const text = await wordsOf(pdfFile({ pages: [page] }))
  expect(joined(text)).toBe('A brave example of a word\nand the next line')
  const [first, second] = text.words.filter((word) => ['exam', 'ple '].includes(word.text))
  expect(second?.top).toBeGreaterThan(first?.top ?? 1)
  expect(second?.left).toBeLessThan(first?.left ?? 0)
})

test('F3 text from right to left comes as it is read, each word where it stands', async () => {
  // A page has its letters from left to right, whatever they are.
  const page = { text: ['שלום עולם'.split('').toReversed().join('')] }
  const text = await wordsOf(pdfFile({ pages: [page] }))
  expect(joined(text)).toBe('שלום עולם')
  const [first, second] = text.words
  expect(first?.left).toBeGreaterThan(second?.left ?? 1)
})

test('F3 a page of more words than a page may have has the first of them, and says so', async () => {
  const lines = Array.from({ length: 300 }, (_, line) => Array.from({ length: 40 }, (_, word) => `w${line}x${word}`))
  const page = { mediaBox: [0, 0, 5000, 5000] as const, text: lines.map((line) => line.join(' ')) }
  const text = await wordsOf(pdfFile({ pages: [page] }))
  expect([text.words.length, text.isTruncated]).toEqual([10_000, true])
})

test('a page that is not there has no words, and one without text has none', async () => {
  await expect(wordsOf(pdfFile({ pages: [{}] }), 2)).rejects.toMatchObject({ code: 'damaged' })
  expect(await wordsOf(pdfFile({ pages: [{}] }))).toEqual({ words: [], isTruncated: false })
})
