import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { fictionBook } from '../../../test/books/fb2.ts'
import { calibreFixture } from '../../../test/books/fixtures/fixtures.ts'
import { mobiFile } from '../../../test/books/mobi.ts'
import { openAs, readThrough } from '../../../test/books/open-book.ts'
import { faultOfAsync } from '../../../test/books/outcome.ts'
import { zip } from '../../../test/books/zip.ts'
import type { BookFormat } from '../book-format.ts'
import { fb2 } from '../fb2/fb2.ts'
import { azw3, mobi } from '../mobi/mobi.ts'

const prose = '<p>The whale and the whale again: “naïve”</p><mbp:pagebreak/>'.repeat(90)

const books: readonly [name: string, format: BookFormat, bytes: Buffer][] = [
  ['a MOBI of calibre', mobi, calibreFixture('whale-plain.mobi')],
  ['a file of both kinds', mobi, calibreFixture('whale-joint.mobi')],
  ['a KF8 of calibre', azw3, calibreFixture('whale-kf8.azw3')],
  ['a MOBI with a dictionary', mobi, mobiFile({ packing: 'huffman', text: prose, exth: [[100, 'Somebody']] })],
  ['a FictionBook', fb2, Buffer.from(fictionBook())],
  ['a FictionBook in a ZIP', fb2, zip([{ name: 'a.fb2', bytes: Buffer.from(fictionBook()), method: 'stored' }])],
]

/** More of the changes hit the part where the tables are. */
const fractions = fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 0.12, noNaN: true }))

const change = fc.oneof(
  fc.record({ at: fractions, byte: fc.integer({ min: 0, max: 255 }) }),
  fc.record({ at: fractions, byte: fc.constantFrom(0, 1, 0x7f, 0x80, 0xff) }),
)

const changed = (bytes: Buffer, changes: readonly { readonly at: number; readonly byte: number }[]): Buffer => {
  const copy = Buffer.from(bytes)
  for (const { at, byte } of changes) copy[Math.floor(at * (copy.length - 1))] = byte
  return copy
}

test.each(books)('LIB-7 %s with any bytes changed is read or refused with a reason', async (_name, format, bytes) => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 12 }), async (changes) => {
      const outcome = await faultOfAsync(async () => readThrough(await openAs(format, changed(bytes, changes))))
      expect(outcome).toMatch(/^(?:none|damaged|empty|encrypted|limit|unsupported)$/)
    }),
    { numRuns: 60 },
  )
})

test.each(books)('LIB-7 %s that is cut anywhere is read or refused with a reason', async (_name, format, bytes) => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: bytes.length - 1 }), async (length) => {
      const outcome = await faultOfAsync(async () => readThrough(await openAs(format, bytes.subarray(0, length))))
      expect(outcome).toMatch(/^(?:none|damaged|empty|limit|unsupported)$/)
    }),
    { numRuns: 40 },
  )
})
