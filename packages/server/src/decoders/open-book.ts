import { allFormats } from '../formats/all-formats.ts'
import type { Candidate, OpenBook } from '../formats/book-format.ts'
import { detectFormat, fileCandidate, folderCandidate } from '../formats/detect-format.ts'
import { openLibraryFile } from '../platform/library-files.ts'
import { unpackCache } from './unpack-cache.ts'

export interface BookToOpen {
  readonly path: string
  readonly isFolder: boolean
}

/** Opens what lies there as what it is, whatever its name says, for as long as `use` needs it. */
export const withBook = async <Result>(
  { path, isFolder }: BookToOpen,
  cacheDir: string,
  use: (book: OpenBook) => Promise<Result>,
): Promise<Result> => {
  if (isFolder) return useCandidate(folderCandidate(path), cacheDir, use)
  const file = openLibraryFile(path)
  try {
    return await useCandidate(fileCandidate(file), cacheDir, use)
  } finally {
    file.close()
  }
}

const useCandidate = async <Result>(
  candidate: Candidate,
  cacheDir: string,
  use: (book: OpenBook) => Promise<Result>,
): Promise<Result> => {
  const book = await detectFormat(candidate, allFormats).open(candidate, { cache: unpackCache(cacheDir) })
  try {
    return await use(book)
  } finally {
    book.close()
  }
}
