/** The format of a book is detected by its content. `fileFormat`, conditions and statistics use these words. */
export const fileFormats = ['cbz', 'cbr', 'cb7', 'cbt', 'folder', 'epub', 'pdf', 'mobi', 'azw3', 'fb2'] as const
export type FileFormat = (typeof fileFormats)[number]
