import type { Pdfium } from './pdfium.ts'

/** A title or an entry of the information dictionary may take this much; a longer one counts as absent. */
const longestBytes = 1024 * 1024
const usualBytes = 2048

/**
 * Texts of PDFium are asked for with a place for them, and answered with the bytes they need, a zero at the end included.
 * What does not fit is not written at all.
 */
export const readUtf16 = (pdfium: Pdfium, ask: (buffer: number, length: number) => number): string => {
  const within = (bytes: number): { needed: number; text: string } =>
    pdfium.lend(bytes, (buffer) => {
      const needed = ask(buffer, bytes)
      const written = needed <= bytes ? Math.max(0, needed - 2) : 0
      return { needed, text: pdfium.memory(buffer, written).toString('utf16le') }
    })
  const usual = within(usualBytes)
  return usual.needed > usualBytes && usual.needed <= longestBytes ? within(usual.needed).text : usual.text
}

/** It lends PDFium a text of its own kind: bytes that end with a zero. */
export const withTag = <Result>(pdfium: Pdfium, tag: string, work: (pointer: number) => Result): Result => {
  const bytes = Buffer.from(`${tag}\0`, 'latin1')
  return pdfium.lend(bytes.length, (pointer) => {
    bytes.copy(pdfium.memory(pointer, bytes.length))
    return work(pointer)
  })
}

/** It is for titles and labels: no line ends, no control characters, no halves of characters. */
export const singleLine = (text: string, length: number): string =>
  text
    .replaceAll(/[\p{Cc}\p{Z}\uFFFE]+/gu, ' ')
    .trim()
    .slice(0, length)
    .toWellFormed()

/**
 * It is the text of a page. PDFium marks the hyphen of a word that goes on in the next line: that word is put together.
 */
export const plainText = (text: string): string =>
  text
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\u0002\uFFFE](?:\r?\n)?/g, '')
    .replaceAll(/\r\n?/g, '\n')
    // oxlint-disable-next-line no-control-regex
    .replaceAll(/[\u0000-\u0008\u000B-\u001F\u007F\uFFFF]+/g, '')
    .toWellFormed()
    .trim()
