import { metadataOfBook, metadataOfSeries } from '../../catalogue/metadata/metadata.ts'
import type { BookShown } from '../../catalogue/metadata/metadata.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import type { ReadDb } from '../../database/database.ts'
import type { ShownAuthor, ShownBook } from '../../formats/metadata/shown-book.ts'
import { selectToEmbed, type RowToEmbed } from './queries.ts'

/** The caller has checked that the books may be seen. */
export const readShownBooks = async (
  db: ReadDb,
  viewer: Viewer,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ShownBook>> =>
  new Map((await selectToEmbed(db, viewer, ids)).map((row) => [row.id, toShownBook(row)]))

const toShownBook = (row: RowToEmbed): ShownBook => {
  const book = metadataOfBook({ metadata: row.metadata, locks: '[]' })
  const series = metadataOfSeries({ metadata: row.series_metadata, locks: '[]' })
  const stored = JSON.parse(row.metadata) as BookShown
  const number = row.number_text ?? (row.number === null ? null : String(row.number))
  const direction = book.readingDirection ?? series.readingDirection
  return {
    title: book.title,
    titleSort: book.titleSort,
    subtitle: book.subtitle,
    seriesTitle: row.series_title,
    seriesTitleSort: series.titleSort,
    isOneOfSeries:
      row.series_title !== '' && (row.book_count > 1 || number !== null || row.volume !== null || row.chapter !== null),
    number,
    volume: row.volume,
    chapter: row.chapter,
    count: book.count ?? (row.chapter === null ? series.totalVolumeCount : series.totalChapterCount),
    summary: book.summary,
    year: book.year,
    month: book.month,
    day: book.day,
    publisher: book.publisher ?? series.publisher,
    imprint: book.imprint ?? series.imprint,
    language: book.languageIso ?? series.language,
    ageRating: row.age_rating,
    genres: book.genres.length > 0 ? book.genres : series.genres,
    tags: book.tags,
    authors: authorsOf(book),
    isbns: book.isbns,
    links: [...new Set([...book.externalLinks, ...series.externalLinks].map(({ url }) => url))],
    characters: book.characters,
    storyArc: book.storyArc,
    storyArcs: stored.storyArcs ?? [],
    seriesGroups: stored.seriesGroups ?? [],
    format: book.formatDetail,
    isBlackAndWhite: book.blackAndWhite,
    isManga: book.manga,
    isRightToLeft: direction === 'rtl',
    rating: book.communityRating,
    pageCount: row.page_count,
  }
}

const authorsOf = ({ authors, translator }: ReturnType<typeof metadataOfBook>): ShownAuthor[] => {
  const all = authors.map(({ name, role = null, sortName = null }) => ({ name, role, sortName }))
  const isThere = translator === null || all.some(({ role }) => role === 'translator')
  return isThere ? all : [...all, { name: translator, role: 'translator', sortName: null }]
}
