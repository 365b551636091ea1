import type { BookFormat } from './book-format.ts'

/** The table of contents of the formats, in the order in which they are asked. */
export const allFormats: readonly BookFormat[] = []
