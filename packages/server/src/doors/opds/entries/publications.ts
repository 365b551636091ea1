import { type BookDto, bookTitleIn } from '@carrel/api'
import type { ReadDb } from '../../../database/database.ts'
import { metadataOfBook } from '../../../catalogue/metadata/metadata.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import { dateIn, languageTag } from '../../../features/contents/contents.ts'
import { storedZipSize } from '../../../features/files/files.ts'
import { unpackPages } from '../../../formats/page-index.ts'
import { hasPages, hasParts, isComic, offeredFile } from '../book-files.ts'
import type { Publication } from '../feed.ts'
import { type DescriptionRow, selectDescriptions, selectFurtherFiles, selectPackedPages } from './queries.ts'
import { cleanText } from '../xml.ts'
import { numberWordsIn } from '../../../texts/number-words.ts'
import type { Texts } from '../../../texts/texts.ts'

/** Books as an entry says them. `inSeries`: they stand among those of their own series. */
export const publicationsOf = async (
  db: ReadDb,
  viewer: Viewer,
  books: readonly BookDto[],
  { texts, inSeries = false }: { readonly texts: Texts; readonly inSeries?: boolean },
): Promise<Publication[]> => {
  const rows = await selectDescriptions(
    db,
    viewer,
    books.map(({ id }) => id),
  )
  const packed = await sizesOfFolders(db, books)
  const several = [...rows.values()].filter((row) => row.has_several_files !== null).map(({ id }) => id)
  const further = Map.groupBy(await selectFurtherFiles(db, several), ({ bookId }) => bookId)
  return books.flatMap((book) => {
    const row = rows.get(book.id)
    // The row was deleted between two statements.
    if (!row) return []
    const otherFiles = (further.get(book.id) ?? []).map(({ id, format, name, size }) => ({
      ...offeredFile(format, name, size),
      id,
    }))
    return [publicationOf(book, row, { texts, inSeries, packedSize: packed.get(book.id) ?? null, otherFiles })]
  })
}

/** A folder of pictures is packed on its way out: its file is as long as that, and not as the pictures are together. */
const sizesOfFolders = async (db: ReadDb, books: readonly BookDto[]): Promise<ReadonlyMap<string, number>> => {
  const folders = books.filter(({ fileFormat }) => fileFormat === 'folder').map(({ id }) => id)
  const pages = await selectPackedPages(db, folders)
  return new Map([...pages].map(([id, packed]) => [id, storedZipSize(unpackPages(packed))]))
}

interface Setting {
  readonly texts: Texts
  readonly inSeries: boolean
  readonly packedSize: number | null
  readonly otherFiles: Publication['otherFiles']
}

const publicationOf = (
  book: BookDto,
  row: DescriptionRow,
  { texts, inSeries, packedSize, otherFiles }: Setting,
): Publication => {
  const hasPageList = row.paged !== null
  const isFilled =
    book.fileFormat === 'folder' ? row.analysis !== 'done' || book.pageCount > 0 : (row.file_size ?? 0) > 0
  const isThere = row.file_state === 'present' && !book.deleted && isFilled
  const isReadable = isThere && row.analysis === 'done'
  const size = book.fileFormat === 'folder' ? packedSize : row.file_size
  const metadata = metadataOfBook({ metadata: row.metadata, locks: '[]' })
  return {
    book,
    title: titleOf(book, inSeries, texts),
    people: metadata.authors.map(({ name, role, sortName }) => ({
      name,
      role: (role ?? 'author').toLowerCase(),
      sortAs: sortName ?? null,
    })),
    subtitle: metadata.subtitle,
    summary: book.summary ?? metadata.summary,
    publisher: metadata.publisher ?? row.series_publisher,
    language: languageTag(metadata.languageIso) ?? languageTag(row.series_language),
    issued: dateIn(metadata),
    subjects: [
      ...metadata.genres.map((name) => ({ name, kind: 'genre' as const })),
      ...metadata.tags.map((name) => ({ name, kind: 'tag' as const })),
    ],
    isbns: metadata.isbns.flatMap((isbn) => /^[\d-]{9,17}[\dX]?$/i.exec(isbn)?.[0].replaceAll('-', '') ?? []),
    file: isThere ? offeredFile(book.fileFormat, row.file_name ?? book.title, size) : null,
    otherFiles: isThere ? otherFiles : [],
    isComic: isComic(book.fileFormat, hasPageList),
    hasPages: isReadable && hasPages(book.fileFormat, book.pageCount, hasPageList),
    hasParts: isReadable && hasParts(book.fileFormat, hasPageList),
  }
}

const titleOf = (book: BookDto, inSeries: boolean, texts: Texts): string => {
  const { text } = bookTitleIn(inSeries ? 'seriesFeed' : 'feed', book, numberWordsIn(texts))
  return cleanText(text) || texts.say('untitled')
}
