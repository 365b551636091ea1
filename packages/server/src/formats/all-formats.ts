import type { BookFormat } from './book-format.ts'
import { cb7 } from './cb7.ts'
import { cbr } from './cbr.ts'
import { cbt } from './cbt.ts'
import { cbz } from './cbz.ts'
import { folder } from './folder.ts'

/** The table of contents of the formats, in the order in which they are asked. */
export const allFormats: readonly BookFormat[] = [cbz, cbr, cb7, cbt, folder]
