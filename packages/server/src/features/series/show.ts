import { seenInPart, seriesCoverVersion } from '../../catalogue/entries/entries.ts'
import type { CoverTone, SeriesDto } from '@carrel/api'
import type { ReadDb } from '../../database/database.ts'
import { unpackTone } from '../../decoders/tone.ts'
import { writersIn } from '../../catalogue/terms/terms.ts'
import { unreadCounts } from '../reading/reading.ts'
import { seesWholeSeries, type Viewer } from '../../catalogue/visibility/visibility.ts'
import { countVisibleBooks, selectRelated, type SeriesFigures, type RelatedToSeries } from './queries.ts'
import { type ListedSeries } from '../../catalogue/lists/lists.ts'
import { isMadeForOneBook } from '../../naming/grouping/made-for-one-book.ts'

/** In the order they are given in, and as this viewer sees them. */
export const showSeries = async (db: ReadDb, viewer: Viewer, listed: readonly ListedSeries[]): Promise<SeriesDto[]> => {
  const rows = await seenInPart(db, viewer, listed)
  const ids = rows.map(({ id }) => id)
  const around = await selectRelated(db, viewer, ids)
  const visible = seesWholeSeries(viewer) ? undefined : await countVisibleBooks(db, viewer, ids)
  const read = await unreadCounts(db, viewer, ids)
  const figuresOf = (row: ListedSeries): SeriesFigures => (visible ? (visible.get(row.id) ?? noBooks) : row)
  return rows.flatMap((row) => {
    const related = around.get(row.id)
    // Forgotten between two statements.
    if (!related) return []
    const shown = toSeries(row, related, figuresOf(row), viewer)
    const authors = writersIn(shown.oneShot ? related.first_writers : row.writers)
    return [{ ...shown, authors, unreadCount: Math.max(0, shown.bookCount - (read.get(row.id)?.read ?? 0)) }]
  })
}

interface CoverOfSeries {
  readonly seriesId: string
  readonly coverVersion: string
  readonly placeholder: string | null
  readonly tone: CoverTone | null
}

/** Their covers alone, as this viewer sees them. */
export const showCovers = async (
  db: ReadDb,
  viewer: Viewer,
  rows: readonly ListedSeries[],
): Promise<readonly CoverOfSeries[]> => {
  const around = await selectRelated(
    db,
    viewer,
    rows.map(({ id }) => id),
  )
  return rows.flatMap((row) => {
    const related = around.get(row.id)
    return related ? [{ seriesId: row.id, ...coverOf(row, related) }] : []
  })
}

/**
 * The id of the book that a one-shot is: said to be one, called like its series without a number, or the one for which the
 * grouping has made the series.
 */
const onlyBookOf = ({ book_count }: SeriesFigures, around: RelatedToSeries | undefined): string | null =>
  book_count === 1 && around && isWhole(around) ? around.first_id : null

const isWhole = (around: RelatedToSeries): boolean => {
  if (around.first_book_type?.toLowerCase() === 'oneshot') return true
  const { first_number, first_volume, first_chapter, grouping, key, first_path } = around
  const hasNumber = (first_number ?? first_volume ?? first_chapter) !== null
  const isCalledLikeIt = around.first_sort_key === around.sort_key || around.first_title_text === around.title_text
  if (isCalledLikeIt && !hasNumber) return true
  return (
    first_path !== null &&
    grouping !== null &&
    isMadeForOneBook({ grouping, seriesKey: key, path: first_path, hasNumber })
  )
}

const noBooks: SeriesFigures = { book_count: 0, max_volume: null, max_chapter: null, volumes_owned: 0 }

const toSeries = (
  row: ListedSeries,
  around: RelatedToSeries,
  figures: SeriesFigures,
  { seesPaths }: Viewer,
): Omit<SeriesDto, 'unreadCount' | 'authors'> => ({
  id: row.id,
  libraryId: row.library_id,
  libraryName: around.library_name ?? '',
  title: row.title,
  titleSort: row.title_sort,
  summary: row.summary,
  publisher: row.publisher,
  year: row.year,
  ...(seesPaths && { path: row.path }),
  bookCount: figures.book_count,
  localMaxVolume: figures.max_volume,
  localMaxChapter: figures.max_chapter,
  volumesOwned: figures.volumes_owned,
  oneShot: onlyBookOf(figures, around) !== null,
  oneShotBookId: onlyBookOf(figures, around),
  hasCustomCover: around.cover_source === 'upload',
  selectedCoverSource: around.cover_source,
  wantToRead: around.wanted_id !== null,
  readingStatus: around.reading_status,
  following: around.followed_at !== null,
  ...coverOf(row, around),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const coverOf = (row: Pick<ListedSeries, 'cover_version'>, around: RelatedToSeries) => ({
  coverVersion: coverVersionOf(row, around),
  placeholder: around.cover_source === null ? around.first_placeholder : around.cover_placeholder,
  tone: unpackTone(around.cover_source === null ? around.first_tone : around.cover_tone),
})

const coverVersionOf = (
  { cover_version }: Pick<ListedSeries, 'cover_version'>,
  { cover_source, first_id, first_cover_version }: RelatedToSeries,
): string =>
  seriesCoverVersion(
    cover_version,
    cover_source !== null || first_id === null ? undefined : { id: first_id, coverVersion: first_cover_version ?? 0 },
  )
