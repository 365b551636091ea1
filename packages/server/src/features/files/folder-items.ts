import type { ShownBook } from '../../formats/metadata/shown-book.ts'
import { writeComicInfo } from '../../formats/metadata/write-comic-info.ts'
import type { ExpectedFile, LibraryReads } from '../../platform/storage/library-reads.ts'
import type { PageReading, ReadableBook } from '../pages/pages.ts'
import type { ZipItem } from './stored-zip.ts'

export const timeOf = (modifiedUs: number): Date => new Date(modifiedUs / 1000)

/** The pictures of a folder as members of a ZIP, and before them what is shown of the book, where that is wished. */
export const folderItems = async (
  { libraryReads, pages }: { readonly libraryReads: LibraryReads; readonly pages: PageReading },
  book: ReadableBook,
  shown?: ShownBook,
): Promise<ZipItem[]> => {
  const { file } = book
  const pictures = (await pages.pagesOf(book)).map(({ name, size }): ZipItem => ({
    name,
    size,
    modifiedAt: timeOf(file.modifiedUs),
    open: async function* () {
      yield await libraryReads.readWhole(file.rootId, `${file.path}/${name}`, size)
    },
  }))
  return shown ? [comicInfoItem(file, shown), ...pictures] : pictures
}

const comicInfoItem = (file: ExpectedFile, shown: ShownBook): ZipItem => {
  const bytes = writeComicInfo(shown)
  return {
    name: 'ComicInfo.xml',
    size: bytes.length,
    modifiedAt: timeOf(file.modifiedUs),
    open: async function* () {
      yield bytes
    },
  }
}
