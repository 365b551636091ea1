/** What a book can be, detected by its content. The words of `fileFormat`, of conditions and of statistics. */
export const fileFormats = ['cbz', 'cbr', 'cb7', 'cbt', 'folder', 'epub', 'pdf', 'mobi', 'azw3', 'fb2'] as const
export type FileFormat = (typeof fileFormats)[number]
