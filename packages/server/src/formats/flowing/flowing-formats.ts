import type { FileFormat } from '@carrel/api'

/** Their text flows to fit the screen, unless the book says otherwise and has pages. */
export const flowingFormats: ReadonlySet<FileFormat> = new Set(['epub', 'mobi', 'azw3', 'fb2'])
