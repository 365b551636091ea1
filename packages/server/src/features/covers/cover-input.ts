import type { BookCoverInput, CoverSizes } from '../../decoders/cover.ts'
import type { BookFields, Page } from '../../formats/book-format.ts'
import { unpackPages } from '../../formats/page-index.ts'
import { pathBelow } from '../../platform/files/file-names.ts'
import { selectFoldersWithOneBook, type SubjectRow } from './queries.ts'
import type { ReadDb } from '../../database/database.ts'

/** A decoder gets this to make the covers of books. */
export const coverInputs = async (
  db: ReadDb,
  rows: readonly SubjectRow[],
  { sizes, cacheDir }: { readonly sizes: CoverSizes; readonly cacheDir: string },
): Promise<readonly BookCoverInput[]> => {
  const unique = (values: readonly string[]) => [...new Set(values)]
  const lonely = await selectFoldersWithOneBook(
    db,
    unique(rows.map(({ root_id }) => root_id)),
    unique(rows.map(({ folder }) => folder)),
  )
  return rows.map((row) => {
    const pages = row.pages ? unpackPages(row.pages) : []
    const page = coverPageOf(row, pages)
    return {
      path: pathBelow(row.root_path, row.folder, row.name),
      isFolder: row.is_folder === 1,
      cacheDir,
      sizes,
      page,
      half: halfOf(row, pages, page?.number ?? 1),
      folderPicture: folderPictureOf(row, lonely),
    }
  })
}

const coverPageOf = ({ metadata }: SubjectRow, pages: readonly Page[]): BookCoverInput['page'] => {
  const { coverPage = 1 } = JSON.parse(metadata) as BookFields
  const number = coverPage >= 1 && coverPage <= pages.length ? coverPage : 1
  const page = pages[number - 1]
  return page ? { number, location: page.location ?? null, size: page.size } : null
}

const spreadRatio = 1.2

/**
 * Back and front in one picture: the front is the half one sees first. Not where all pages lie on their side; that is
 * how the book is.
 */
const halfOf = (row: SubjectRow, pages: readonly Page[], number: number): BookCoverInput['half'] => {
  const page = pages[number - 1]
  if (!page?.width || !page.height || page.width / page.height < spreadRatio) return null
  const measured = pages.filter(({ width, height }) => width !== null && height !== null)
  const lying = measured.filter(({ width, height }) => (width ?? 0) > (height ?? 0))
  if (measured.length < 2 || lying.length * 2 > measured.length) return null
  const direction = row.reading_direction ?? row.series_direction ?? row.library_direction
  return direction === 'rtl' ? 'left' : 'right'
}

/** `cover.jpg` beside one book is that book's; beside several it stands for their series. */
const folderPictureOf = (row: SubjectRow, lonely: ReadonlySet<string>): BookCoverInput['folderPicture'] => {
  if (lonely.has(`${row.root_id} ${row.folder}`)) return 'book'
  return row.folder !== '' && row.first_book_id === row.id ? 'series' : 'nobody'
}
