import type { BookFormat } from './book-format.ts'
import { cb7 } from './cb7.ts'
import { cbr } from './cbr.ts'
import { cbt } from './cbt.ts'
import { cbz } from './cbz.ts'
import { epub } from './epub/epub.ts'
import { folder } from './folder.ts'
import { pdfFormat } from './pdf/pdf.ts'

/** The table of contents of the formats, in the order in which they are asked: ZIP last, as it takes damaged ones too. */
export const allFormats: readonly BookFormat[] = [pdfFormat, epub, cbr, cb7, cbt, cbz, folder]
