import type { BookFormat } from './book-format.ts'
import { cbz } from './cbz.ts'
import { epub } from './epub/epub.ts'
import { folder } from './folder.ts'
import { pdfFormat } from './pdf/pdf.ts'

/** The table of contents of the formats, in the order in which they are asked: ZIP last, as it takes damaged ones too. */
export const allFormats: readonly BookFormat[] = [pdfFormat, epub, cbz, folder]
