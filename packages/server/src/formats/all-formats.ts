import type { BookFormat } from './book-format.ts'
import { cbz } from './cbz.ts'
import { folder } from './folder.ts'

/** The table of contents of the formats, in the order in which they are asked. */
export const allFormats: readonly BookFormat[] = [cbz, folder]
