import {
  type BookFormat,
  BookFault,
  type Candidate,
  type Fault,
  type MetadataLayer,
  type OpenBook,
  type Page,
  type Picture,
  type TextPart,
} from '../book-format.ts'
import { fileFingerprint, koreaderFingerprint } from '../fingerprints.ts'
import { loadSharp } from '../images/load-sharp.ts'
import { bookLimits } from '../limits.ts'
import { pdfInfoLayer } from '../metadata/pdf-info.ts'
import { findCatalogTerms } from './catalog.ts'
import { openPdfDocument, type PdfDocument } from './document.ts'
import { announcedSize, type PixelSize, renderedSize } from './page-size.ts'
import type { BookFile } from './system.ts'

export { pdfiumUse } from './pdfium.ts'

/** PDF by PDFium, which lives in WebAssembly and sees nothing but the books opened for it. */
export const pdfFormat: BookFormat = {
  name: 'pdf',
  detect: (candidate) => !candidate.isFolder && hasHeader(candidate) && !isArchive(candidate.head),
  open: async (candidate) => openBook(candidate, openPdfDocument(candidate)),
}

/** A mail or a printer may have put something before it: readers look in the first 1,024 bytes. */
const hasHeader = ({ head }: Candidate): boolean => head.subarray(0, 1024).includes('%PDF-')

/** The first file in an archive may be a PDF. */
const isArchive = (head: Buffer): boolean =>
  ['PK\u0003\u0004', 'Rar!', '7z\u00bc\u00af'].some((magic) => head.toString('latin1', 0, magic.length) === magic) ||
  head.toString('latin1', 257, 262) === 'ustar'

const coverEdge = 800
const coverEdgeMax = 8000
const coverSideMin = 500

/** A page like a strip is drawn longer, so that its shorter side is wide enough for a cover. */
const edgeOfCover = ({ width, height }: PixelSize): number =>
  Math.min(coverEdgeMax, Math.max(coverEdge, (coverSideMin * Math.max(width, height)) / Math.min(width, height)))

const openBook = (file: Candidate, document: PdfDocument): OpenBook => {
  const warnings = document.wasRepaired ? [wasRepaired] : []
  let pages: readonly Page[] | undefined
  return {
    format: 'pdf',
    // The list is complete once the pages have been asked for: a reader of one page does not wait for all of them.
    warnings,
    pages: async () => {
      pages ??= listPages(document, warnings)
      return pages
    },
    readPage: (number, options) => renderPage(document, number, options?.maxEdge),
    cutPage: async (number, bytesMax) => document.cut(number - 1, bytesMax),
    readCover: () => {
      const points = document.pageSize(0)
      return renderPage(document, 1, points && edgeOfCover(points))
    },
    metadata: async () => [metadataOf(file, document)],
    fingerprints: async () => {
      const fingerprint = fileFingerprint(file)
      return { file: fingerprint, content: fingerprint, koreader: koreaderFingerprint(file) }
    },
    text: () => textOf(document),
    readWords: async (number) => document.words(number - 1),
    outline: async () => document.outline(),
    close: document.close,
  }
}

const wasRepaired: Fault = {
  code: 'damaged',
  message: 'The list of what stands where in the file is broken and was made anew',
}

/** A document may claim more pages than it has: those missing at its end are none of its pages. */
const listPages = (document: PdfDocument, warnings: Fault[]): readonly Page[] => {
  const labels = labelsOf(document, warnings)
  const claimed = Array.from({ length: document.pageCount }, (_, index) => pageOf(document, index, labels[index]))
  const pages = claimed.slice(0, claimed.findLastIndex((page) => page.width !== null) + 1)
  if (pages.length === 0) throw new BookFault('damaged', 'None of its pages is there')
  const missing = claimed.filter((page) => page.width === null).length
  if (missing > 0) warnings.push({ code: 'damaged', message: `${missing} of ${claimed.length} pages are missing` })
  return pages
}

/** A book whose labels cannot be read is a book none the less. */
const labelsOf = (document: PdfDocument, warnings: Fault[]): readonly string[] => {
  try {
    return Array.from({ length: document.pageCount }, (_, index) => document.pageLabel(index))
  } catch (error) {
    if (!(error instanceof BookFault) || error.code === 'unreadable') throw error
    warnings.push({ code: 'damaged', message: 'What its pages are called cannot be read' })
    return []
  }
}

const pageOf = (document: PdfDocument, index: number, label: string | undefined): Page => {
  const points = document.pageSize(index)
  const size = points && announcedSize(points)
  return {
    name: label || String(index + 1),
    mediaType: 'image/jpeg',
    width: size?.width ?? null,
    height: size?.height ?? null,
    size: 0,
  }
}

const renderPage = async (document: PdfDocument, number: number, maxEdge: number | undefined): Promise<Picture> => {
  const points = document.pageSize(number - 1)
  const size = points && renderedSize(points, maxEdge)
  if (size === undefined) throw new BookFault('damaged', `There is no page ${number} that can be shown`)
  const pixels = document.render(number - 1, size)
  const sharp = await loadSharp()
  const bytes = await sharp(pixels, { raw: { ...size, channels: 3 }, limitInputPixels: bookLimits.pixels })
    .jpeg({ quality: 85 })
    .toBuffer()
  return { mediaType: 'image/jpeg', bytes }
}

const infoEntries = ['Title', 'Author', 'Subject', 'Keywords', 'ISBN'] as const

const metadataOf = (file: BookFile, document: PdfDocument): MetadataLayer => {
  const { language, xmpPacket } = findCatalogTerms(file)
  const info = Object.fromEntries(infoEntries.map((name) => [name, document.info(name)]))
  return pdfInfoLayer({ ...info, Language: language }, xmpPacket)
}

async function* textOf(document: PdfDocument): AsyncGenerator<TextPart> {
  for (let index = 0; index < document.pageCount; index += 1) {
    const text = readableText(document, index)
    if (text !== undefined) yield { page: index + 1, title: null, text }
  }
}

/** Undefined for a page that is not there or damaged: the others have their text. */
const readableText = (document: PdfDocument, index: number): string | undefined => {
  try {
    return document.pageSize(index) && document.text(index)
  } catch (error) {
    if (error instanceof BookFault && error.code === 'damaged') return undefined
    throw error
  }
}
