import type { OutlineEntry } from '../book-format.ts'
import { textLimits } from '../limits.ts'
import type { Pdfium } from './pdfium.ts'
import { readUtf16, singleLine } from './strings.ts'

const deepest = 32
const mostEntries = 10_000

/** The bookmarks of a document, as deep and as many as a reader would use; one that leads back to itself is met once. */
export const readOutline = (pdfium: Pdfium, handle: number): readonly OutlineEntry[] => {
  const { functions } = pdfium
  const met = new Set<number>()

  const childrenOf = (parent: number, depth: number): OutlineEntry[] => {
    const children: OutlineEntry[] = []
    if (depth === deepest) return children
    let bookmark = functions.FPDFBookmark_GetFirstChild(handle, parent)
    while (bookmark !== 0 && !met.has(bookmark) && met.size < mostEntries) {
      met.add(bookmark)
      children.push({ ...headOf(pdfium, handle, bookmark), children: childrenOf(bookmark, depth + 1) })
      bookmark = functions.FPDFBookmark_GetNextSibling(handle, bookmark)
    }
    return children
  }
  return childrenOf(0, 0)
}

const headOf = (pdfium: Pdfium, handle: number, bookmark: number): Pick<OutlineEntry, 'title' | 'page'> => {
  const { functions } = pdfium
  const title = readUtf16(pdfium, (buffer, length) => functions.FPDFBookmark_GetTitle(bookmark, buffer, length))
  const index = pageIndexOf(pdfium, handle, bookmark)
  const isPage = index >= 0 && index < functions.FPDF_GetPageCount(handle)
  return { title: singleLine(title, textLimits.title), ...(isPage && { page: index + 1 }) }
}

/** `PDFACTION_GOTO`: to a place in this document; all others lead out of it. */
const goTo = 1

const pageIndexOf = ({ functions }: Pdfium, handle: number, bookmark: number): number => {
  const action = functions.FPDFBookmark_GetAction(bookmark)
  if (action !== 0 && functions.FPDFAction_GetType(action) !== goTo) return -1
  // The destination is that of the action when the bookmark has none of its own.
  const destination = functions.FPDFBookmark_GetDest(handle, bookmark)
  return destination === 0 ? -1 : functions.FPDFDest_GetDestPageIndex(handle, destination)
}
