import { expect, test } from 'vitest'
import { candidateOf } from '../../../test/books/pdf-book.ts'
import { drawnPage } from '../../../test/books/pdf-corpus.ts'
import { type Jpeg, pdfFile } from '../../../test/books/pdf.ts'
import { openPdfDocument } from './document.ts'
import { livingPdfium, pdfiumUse } from './pdfium.ts'
import type { RuntimeExports } from './system.ts'

const mebibyte = 1024 * 1024

/** A scan as heavy as one likes: nobody looks at what follows the end of a picture. */
const heavyScan = async (pages: number, bytesPerPage: number): Promise<Buffer> => {
  const drawn = await drawnPage(0, 200, 300)
  const jpeg: Jpeg = { ...drawn, bytes: Buffer.concat([drawn.bytes, Buffer.alloc(bytesPerPage)]) }
  return pdfFile({
    pages: Array.from({ length: pages }, () => ({ jpeg })),
    info: { Title: 'Heavy' },
    outline: [{ title: 'End', page: pages }],
  })
}

test('the sizes, labels, outline and information of a scan are known without reading its pictures', async () => {
  const file = candidateOf(await heavyScan(300, 256 * 1024))
  let bytesRead = 0
  const document = openPdfDocument({
    size: file.size,
    read: (position, length) => {
      const bytes = file.read(position, length)
      bytesRead += bytes.length
      return bytes
    },
  })

  const sizes = Array.from({ length: document.pageCount }, (_, index) => document.pageSize(index))
  const labels = Array.from({ length: document.pageCount }, (_, index) => document.pageLabel(index))
  expect([sizes.length, new Set(labels)]).toEqual([300, new Set([''])])
  expect(sizes).not.toContain(undefined)
  expect(document.info('Title')).toBe('Heavy')
  expect(document.outline()).toEqual([{ title: 'End', page: 300, children: [] }])
  document.close()

  expect(file.size).toBeGreaterThan(75 * mebibyte)
  expect(bytesRead).toBeLessThan(mebibyte / 2)
})

test('what has been read of a large book does not stay in memory', async () => {
  const document = openPdfDocument(candidateOf(await heavyScan(12, 24 * mebibyte)))

  for (let index = 0; index < document.pageCount; index += 1) document.render(index, { width: 100, height: 150 })
  expect(pdfiumUse().heapBytes).toBeLessThan(160 * mebibyte)
  document.close()
})

test('a large picture has no seams', () => {
  const document = openPdfDocument(
    candidateOf(pdfFile({ pages: [{ mediaBox: [0, 0, 100, 100], drawing: '0 0 m 100 0 l 100 100 l f' }] })),
  )
  const edge = 4200
  const large = document.render(0, { width: edge, height: edge })
  document.close()

  // Black below the rising diagonal, white above it, on every row.
  for (let row = 10; row < edge - 10; row += 10) {
    const at = (column: number): number | undefined => large[(row * edge + column) * 3]
    expect([row, at(edge - row - 5), at(edge - row + 5)]).toEqual([row, 255, 0])
  }
})

test('a heap that has grown large is given up once no book is open in it', async () => {
  const document = openPdfDocument(candidateOf(await heavyScan(1, 150 * mebibyte)))
  const other = openPdfDocument(candidateOf(pdfFile({ pages: [{}] })))
  document.render(0, { width: 100, height: 150 })

  document.close()
  expect(pdfiumUse().heapBytes).toBeGreaterThan(150 * mebibyte)
  other.close()
  expect(pdfiumUse().heapBytes).toBe(0)
})

test('a small heap serves one book after the other, and what a book took is free again', () => {
  const bytes = pdfFile({ pages: [{ text: ['A page'] }] })
  const readOnce = (): void => {
    const document = openPdfDocument(candidateOf(bytes))
    document.render(0, { width: 400, height: 600 })
    document.text(0)
    document.outline()
    document.close()
  }
  readOnce()
  const before = pdfiumUse()
  for (let round = 0; round < 200; round += 1) readOnce()

  expect(pdfiumUse()).toEqual({ ...before, documentsOpened: before.documentsOpened + 200 })
})

test('a file that stops being readable is not a damaged one', () => {
  const file = candidateOf(pdfFile({ pages: [{ text: ['A page'] }] }))
  let isGone = false
  const read = (position: number, length: number): Buffer => {
    if (isGone) throw Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' })
    return file.read(position, length)
  }
  const document = openPdfDocument({ ...file, read })

  isGone = true
  expect(() => document.text(0)).toThrow(expect.objectContaining({ name: 'BookFault', code: 'unreadable' }))
  expect(() => openPdfDocument({ ...file, read })).toThrow(expect.objectContaining({ code: 'unreadable' }))
  document.close()
})

test('PDFium finds no file but those admitted, and none any more when it is dismissed', () => {
  const pdfium = livingPdfium()
  const bytes = pdfFile({ pages: [{}] })
  const admitted = pdfium.system.admit(candidateOf(bytes))
  const load = (path: string): number =>
    pdfium.run(() => {
      const name = Buffer.from(`${path}\0`)
      return pdfium.lend(name.length, (pointer) => {
        name.copy(pdfium.memory(pointer, name.length))
        return pdfium.functions.FPDF_LoadDocument(pointer, 0)
      })
    })

  expect(load(import.meta.filename)).toBe(0)
  expect(load('/etc/passwd')).toBe(0)
  const document = load(admitted.path)
  expect(document).not.toBe(0)
  pdfium.run(() => pdfium.functions.FPDF_CloseDocument(document))
  pdfium.system.dismiss(admitted)
  expect(load(admitted.path)).toBe(0)
})

test('a break-down is told from a lack of memory, and ends that PDFium alone', () => {
  const broken = livingPdfium()
  expect(() => broken.run(() => broken.functions.FPDF_GetPageCount(0xff_ff_ff_f0))).toThrow(
    expect.objectContaining({ name: 'BookFault', code: 'crashed' }),
  )
  expect(broken.isDead).toBe(true)

  const pdfium = livingPdfium()
  expect(pdfium).not.toBe(broken)
  expect(() => pdfium.run(() => pdfium.lend(2 ** 30, () => 1))).toThrow(expect.objectContaining({ code: 'limit' }))
  expect(pdfium.isDead).toBe(false)
})

test('a PDFium that has gone too deep is not used again', () => {
  const pdfium = livingPdfium()
  const stackEnd = (pdfium.functions as unknown as RuntimeExports).emscripten_stack_get_end()
  // Its stack ends where its own variables are: what runs over it is not noticed by the machine.
  const overrun = (): void => void pdfium.memory(stackEnd, 1).fill(0)

  expect(() => pdfium.run(overrun)).toThrow(expect.objectContaining({ name: 'BookFault', code: 'crashed' }))
  expect(livingPdfium()).not.toBe(pdfium)
})
