import type { BookFormat } from './book-format.ts'
import { cb7 } from './cb7.ts'
import { cbr } from './cbr.ts'
import { cbt } from './cbt.ts'
import { cbz } from './cbz.ts'
import { epub } from './epub/epub.ts'
import { fb2 } from './fb2/fb2.ts'
import { folder } from './folder.ts'
import { azw3, mobi } from './mobi/mobi.ts'
import { pdfFormat } from './pdf/pdf.ts'

/** The table of contents of the formats, in the order in which they are asked: ZIP last, as it takes damaged ones too. */
export const allFormats: readonly BookFormat[] = [pdfFormat, epub, mobi, azw3, fb2, cbr, cb7, cbt, cbz, folder]
