import type { BookDto } from '@carrel/api'
import type { ReadDb } from '../../database/database.ts'
import { metadataOfBook } from '../../features/metadata/metadata.ts'
import type { Viewer } from '../../features/visibility/visibility.ts'
import { hasPages, offeredFile } from './book-files.ts'
import type { Publication } from './feed.ts'
import { type DescriptionRow, selectDescriptions } from './queries.ts'
import { cleanText } from './xml.ts'

/** Books as an entry says them. `inSeries`: they stand among those of their own series. */
export const publicationsOf = async (
  db: ReadDb,
  viewer: Viewer,
  books: readonly BookDto[],
  { inSeries = false }: { readonly inSeries?: boolean } = {},
): Promise<Publication[]> => {
  const rows = await selectDescriptions(
    db,
    viewer,
    books.map(({ id }) => id),
  )
  return books.flatMap((book) => {
    const row = rows.get(book.id)
    // Forgotten between two statements.
    return row ? [publicationOf(book, row, inSeries)] : []
  })
}

const publicationOf = (book: BookDto, row: DescriptionRow, inSeries: boolean): Publication => {
  const said = metadataOfBook({ metadata: row.metadata, locks: '[]' })
  return {
    book,
    title: titleOf(book, inSeries),
    people: said.authors.map(({ name, role, sortName }) => ({
      name,
      role: (role ?? 'author').toLowerCase(),
      sortAs: sortName ?? null,
    })),
    subtitle: said.subtitle,
    summary: book.summary ?? said.summary,
    publisher: said.publisher ?? row.series_publisher,
    language: languageOf(said.languageIso) ?? languageOf(row.series_language),
    issued: issuedOf(said),
    subjects: [
      ...said.genres.map((name) => ({ name, kind: 'genre' as const })),
      ...said.tags.map((name) => ({ name, kind: 'tag' as const })),
    ],
    isbns: said.isbns.flatMap((isbn) => /^[\d-]{9,17}[\dX]?$/i.exec(isbn)?.[0].replaceAll('-', '') ?? []),
    file: offeredFile(book.fileFormat, row.file_name ?? book.title),
    hasPages: hasPages(book.fileFormat, book.pageCount, row.paged !== null),
  }
}

/** "Chapter 1" says nothing where books of many series stand together. */
const titleOf = ({ title, seriesName }: BookDto, inSeries: boolean): string => {
  const known = title.toLowerCase().includes(seriesName.toLowerCase())
  return cleanText(inSeries || known ? title : `${seriesName} - ${title}`) || 'Untitled'
}

const languageOf = (language: string | null): string | null => {
  const tag = language?.trim().replaceAll('_', '-') ?? ''
  return /^[a-z]{2,8}(?:-[a-z0-9]{1,8})*$/i.test(tag) ? tag : null
}

const issuedOf = ({
  year,
  month,
  day,
}: {
  readonly year: number | null
  readonly month: number | null
  readonly day: number | null
}): string | null => {
  if (year === null || year < 1 || year > 9999) return null
  const parts = [String(year).padStart(4, '0')]
  if (month !== null && month >= 1 && month <= 12) {
    parts.push(String(month).padStart(2, '0'))
    const days = new Date(Date.UTC(year, month, 0)).getUTCDate()
    if (day !== null && day >= 1 && day <= days) parts.push(String(day).padStart(2, '0'))
  }
  return parts.join('-')
}
