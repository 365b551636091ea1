import { join } from 'node:path'
import {
  dataOffset,
  readZipDirectory,
  readZipEntry,
  type ZipEntry,
} from '../../packages/server/src/formats/archive/zip.ts'
import { bookLimits } from '../../packages/server/src/formats/limits.ts'
import { inReadingOrder, isNamedAsPicture } from '../../packages/server/src/formats/picture-members.ts'
import { openLibraryFile } from '../../packages/server/src/platform/storage/library-files.ts'

/** A page, where its bytes stand and what they are. */
export interface StoredPage {
  readonly book: string
  readonly number: number
  readonly file: string
  readonly offset: number
  readonly storedSize: number
  readonly method: ZipEntry['method']
  readonly bytes: Buffer
}

/** Every so many pages of a ZIP of a generated library. */
export const pagesOfZip = (root: string, book: string, step: number): StoredPage[] => {
  const path = join(root, book)
  const file = openLibraryFile(path)
  try {
    return inReadingOrder(readZipDirectory(file).entries.filter(isNamedAsPicture)).flatMap((entry, index) =>
      index % step === 0
        ? {
            book,
            number: index + 1,
            file: path,
            offset: dataOffset(file, entry),
            storedSize: entry.storedSize,
            method: entry.method,
            bytes: readZipEntry(file, entry, { bytesMax: bookLimits.entryBytes }),
          }
        : [],
    )
  } finally {
    file.close()
  }
}
