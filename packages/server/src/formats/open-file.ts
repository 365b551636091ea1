import { openLibraryFile, type LibraryFile } from '../platform/storage/library-files.ts'
import { readable, type ByteSource } from './archive/byte-source.ts'
import type { OpenBook } from './book-format.ts'

/** A book is opened from this: the file, and how to close it. */
export interface BookFile {
  readonly source: ByteSource
  readonly close: () => void
}

/** It opens the file for a book, which closes it; when there is no book in it, it is closed here. */
export const openBookFile = async (
  path: string,
  open: (file: BookFile) => OpenBook | Promise<OpenBook>,
): Promise<OpenBook> => {
  const file: LibraryFile = openLibraryFile(path)
  try {
    return await open({ source: readable(file), close: file.close })
  } catch (error) {
    file.close()
    throw error
  }
}
