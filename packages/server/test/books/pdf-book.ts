import { onTestFinished } from 'vitest'
import type { Candidate, OpenBook } from '../../src/formats/book-format.ts'
import { pdfFormat } from '../../src/formats/pdf/pdf.ts'

/** The scanner would see the book like this; it exists only in memory. */
export const candidateOf = (bytes: Buffer): Candidate => ({
  path: '/nowhere/book.pdf',
  head: bytes.subarray(0, 4096),
  isFolder: false,
  read: (position, length) => bytes.subarray(position, position + length),
  size: bytes.length,
})

/** Open for as long as the test takes. */
export const openPdfBook = async (bytes: Buffer): Promise<OpenBook> => {
  const book = await pdfFormat.open(candidateOf(bytes), {
    cache: { folderFor: () => Promise.reject(new Error('A PDF is not unpacked')) },
  })
  onTestFinished(() => book.close())
  return book
}
