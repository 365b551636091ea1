import { BookFault, type OutlineEntry, type PageText } from '../book-format.ts'
import { bookLimits, textLimits } from '../limits.ts'
import { cutPage } from './cut-page.ts'
import { readOutline } from './outline.ts'
import type { PixelSize } from './page-size.ts'
import { readWords } from './page-words.ts'
import { countClosedDocument, countOpenedDocument, livingPdfium, type Pdfium, whileOpen } from './pdfium.ts'
import type { AdmittedFile, BookFile } from './system.ts'
import { plainText, readUtf16, singleLine, withTag } from './strings.ts'

/** A PDF as PDFium sees it. Pages count from 0 here. Every function throws a `BookFault` when it cannot. */
export interface PdfDocument {
  readonly pageCount: number
  /** The table of what stands where was broken; PDFium has searched the file for it. */
  readonly wasRepaired: boolean
  /** The size is in points, turned as the page is shown; undefined when there is no such page after all. */
  pageSize(index: number): { readonly width: number; readonly height: number } | undefined
  /** The label is the book's own page number; empty when it has none. */
  pageLabel(index: number): string
  /** An entry of the information dictionary; empty when it is not there. */
  info(name: string): string
  outline(): readonly OutlineEntry[]
  text(index: number): string
  words(index: number): PageText
  /** The page is drawn on white; each pixel is red, green, blue. */
  render(index: number, size: PixelSize): Buffer
  /** One page as a document of its own. */
  cut(index: number, bytesMax: number): Buffer
  close(): void
}

/**
 * PDFium keeps what it has read of a document until it is closed. Once that is so much it is closed and opened again, which
 * takes a few milliseconds.
 */
const keptBytes = 64 * 1024 * 1024

interface Opened {
  readonly pdfium: Pdfium
  readonly admission: AdmittedFile
  readonly handle: number
}

export const openPdfDocument = (file: BookFile): PdfDocument => {
  let opened: Opened | undefined
  let isClosed = false
  countOpenedDocument()
  const unloadOpened = (): void => {
    if (opened !== undefined) unload(opened)
    opened = undefined
  }
  const loaded = (): Opened => {
    if (isClosed) throw new Error('The document is closed')
    if (opened !== undefined && (opened.pdfium.isDead || opened.admission.bytesRead >= keptBytes)) unloadOpened()
    opened ??= load(file)
    return opened
  }
  const run = <Result>(work: (pdfium: Pdfium, handle: number) => Result): Result => {
    const { pdfium, handle } = loaded()
    return pdfium.run(() => work(pdfium, handle))
  }
  const close = (): void => {
    if (isClosed) return
    isClosed = true
    unloadOpened()
    countClosedDocument()
  }
  try {
    const { pageCount, wasRepaired } = run(inspect)
    if (pageCount === 0) throw new BookFault('empty', 'The file has no pages')
    if (pageCount > bookLimits.pages) {
      throw new BookFault('limit', `The file claims ${pageCount} pages; ${bookLimits.pages} are allowed`)
    }
    return {
      pageCount,
      wasRepaired,
      pageSize: (index) => run((pdfium, handle) => sizeOf(pdfium, handle, index)),
      pageLabel: (index) => run((pdfium, handle) => labelOf(pdfium, handle, index)),
      info: (name) => run((pdfium, handle) => infoOf(pdfium, handle, name)),
      outline: () => run(readOutline),
      text: (index) => run((pdfium, handle) => onPage({ pdfium, handle, index }, (page) => textOf(pdfium, page))),
      words: (index) => run((pdfium, handle) => onPage({ pdfium, handle, index }, (page) => readWords(pdfium, page))),
      render: (index, size) =>
        run((pdfium, handle) => onPage({ pdfium, handle, index }, (page) => pixelsOf(pdfium, page, size))),
      cut: (index, bytesMax) => run((pdfium, handle) => cutPage(pdfium, handle, { index, bytesMax })),
      close,
    }
  } catch (error) {
    close()
    throw error
  }
}

const inspect = ({ functions }: Pdfium, handle: number) => ({
  pageCount: functions.FPDF_GetPageCount(handle),
  wasRepaired: functions.FPDF_DocumentHasValidCrossReferenceTable(handle) === 0,
})

const load = (file: BookFile): Opened => {
  const pdfium = livingPdfium()
  const admission = pdfium.system.admit(file)
  try {
    const [handle, error] = pdfium.run(() => [
      withTag(pdfium, admission.path, (path) => pdfium.functions.FPDF_LoadDocument(path, 0)),
      pdfium.functions.FPDF_GetLastError(),
    ])
    if (handle === undefined || handle === 0) throw openingFault(error)
    return { pdfium, admission, handle }
  } catch (error) {
    pdfium.system.dismiss(admission)
    throw error
  }
}

const unload = ({ pdfium, admission, handle }: Opened): void => {
  try {
    if (!pdfium.isDead) pdfium.run(() => pdfium.functions.FPDF_CloseDocument(handle))
  } catch (error) {
    // A fault during closing has nothing left to damage.
    if (!(error instanceof BookFault)) throw error
  } finally {
    pdfium.system.dismiss(admission)
  }
}

/** The numbers of `FPDF_GetLastError`: a password is wanted, or a way of encryption it does not know. */
const passwordRequired = 4
const unknownEncryption = 5

const openingFault = (error: number | undefined): BookFault =>
  error === passwordRequired || error === unknownEncryption
    ? new BookFault('encrypted', 'The file opens with a password only')
    : new BookFault('damaged', 'The file begins like a PDF and is none, or is damaged beyond repair')

const sizeOf = (pdfium: Pdfium, handle: number, index: number) =>
  pdfium.lend(8, (size) => {
    if (pdfium.functions.FPDF_GetPageSizeByIndexF(handle, index, size) === 0) return undefined
    const floats = pdfium.memory(size, 8)
    return { width: floats.readFloatLE(0), height: floats.readFloatLE(4) }
  })

const labelOf = (pdfium: Pdfium, handle: number, index: number): string =>
  singleLine(
    readUtf16(pdfium, (buffer, length) => pdfium.functions.FPDF_GetPageLabel(handle, index, buffer, length)),
    textLimits.name,
  )

const infoOf = (pdfium: Pdfium, handle: number, name: string): string =>
  withTag(pdfium, name, (tag) =>
    readUtf16(pdfium, (buffer, length) => pdfium.functions.FPDF_GetMetaText(handle, tag, buffer, length)),
  )

const onPage = <Result>(
  { pdfium, handle, index }: { readonly pdfium: Pdfium; readonly handle: number; readonly index: number },
  work: (page: number) => Result,
): Result => {
  const page = pdfium.functions.FPDF_LoadPage(handle, index)
  if (page === 0) throw new BookFault('damaged', `Page ${index + 1} is damaged`)
  return whileOpen(page, work, pdfium.functions.FPDF_ClosePage)
}

/** A page of a novel has three thousand. */
const charactersPerPage = 256 * 1024

const textOf = (pdfium: Pdfium, page: number): string => {
  const { functions } = pdfium
  const text = functions.FPDFText_LoadPage(page)
  if (text === 0) return ''
  return whileOpen(
    text,
    (text) => {
      const count = Math.min(functions.FPDFText_CountChars(text), charactersPerPage)
      if (count <= 0) return ''
      // A character takes at most two units of two bytes; one more ends the text.
      return pdfium.lend((count + 1) * 4, (buffer) => {
        const units = functions.FPDFText_GetText(text, 0, count, buffer)
        return plainText(pdfium.memory(buffer, Math.max(0, units - 1) * 2).toString('utf16le'))
      })
    },
    functions.FPDFText_ClosePage,
  )
}

/** The value is for `FPDFBitmap_CreateEx`: three bytes a pixel. */
const threeBytes = 2
const white = 0xff_ff_ff_ff | 0
/** `FPDF_ANNOT`: notes and stamps are part of the page; `FPDF_REVERSE_BYTE_ORDER`: red first, as pictures are made. */
const renderFlags = 0x01 | 0x10
/** A large picture is rendered in bands, so that it is not in two memories at once. Most are one band. */
const bandPixels = 16_000_000

const pixelsOf = (pdfium: Pdfium, page: number, size: PixelSize): Buffer => {
  const pixels = Buffer.allocUnsafe(size.width * size.height * 3)
  const rows = Math.max(1, Math.floor(bandPixels / size.width))
  for (let top = 0; top < size.height; top += rows) {
    const band = { top, rows: Math.min(rows, size.height - top) }
    renderBand(pdfium, page, { size, band, into: pixels.subarray(top * size.width * 3) })
  }
  return pixels
}

interface BandOptions {
  readonly size: PixelSize
  readonly band: { readonly top: number; readonly rows: number }
  readonly into: Buffer
}

const renderBand = (pdfium: Pdfium, page: number, { size: { width, height }, band, into }: BandOptions): void => {
  const { functions } = pdfium
  const bytes = width * band.rows * 3
  pdfium.lend(bytes, (pixels) => {
    const bitmap = functions.FPDFBitmap_CreateEx(width, band.rows, threeBytes, pixels, width * 3)
    if (bitmap === 0) throw new BookFault('limit', `The page is too large for a picture of ${width} by ${height}`)
    whileOpen(
      bitmap,
      () => {
        functions.FPDFBitmap_FillRect(bitmap, 0, 0, width, band.rows, white)
        functions.FPDF_RenderPageBitmap(bitmap, page, 0, -band.top, width, height, 0, renderFlags)
      },
      functions.FPDFBitmap_Destroy,
    )
    pdfium.memory(pixels, bytes).copy(into)
  })
}
