import type { BookDto, BookMetadata, ExternalIdDto, SeriesDto, SeriesGaps, SeriesMetadata } from '@carrel/api'
import { seenInPart } from '../../../catalogue/entries/entries.ts'
import type { ReadDb } from '../../../database/database.ts'
import { showBooks } from '../../books/books.ts'
import { externalIdsIn, metadataOfBook, metadataOfSeries } from '../../../catalogue/metadata/metadata.ts'
import { gapsOfSeries, showSeries } from '../../series/series.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import {
  type Opinion,
  type Part,
  selectBooksOfSeriesAfter,
  selectCollectionNames,
  selectOpinions,
  selectReadListNames,
  selectRestOfSeries,
  selectSeriesAfter,
  type SeriesCursor,
} from './queries.ts'

/** An export can show these of a series. */
export interface SeriesToExport {
  readonly shown: SeriesDto
  readonly metadata: SeriesMetadata
  readonly externalIds: readonly ExternalIdDto[]
  readonly communityRating: number | null
  readonly opinion: Opinion | undefined
  readonly collections: readonly string[]
  readonly gaps: SeriesGaps | undefined
}

export interface BookToExport {
  readonly shown: BookDto
  readonly metadata: BookMetadata
  readonly externalIds: readonly ExternalIdDto[]
  readonly opinion: Opinion | undefined
  readonly readLists: readonly string[]
}

/** No more rows than this are in memory, however large the export. */
export const batchRows = 200

/** It reads the series of a library that this viewer sees, by name, a few at a time. */
export async function* seriesBatches(db: ReadDb, viewer: Viewer, part: Part): AsyncGenerator<SeriesToExport[]> {
  let after: SeriesCursor | undefined
  for (;;) {
    const rows = await seenInPart(db, viewer, await selectSeriesAfter(db, viewer, part, { after, limit: batchRows }))
    if (rows.length > 0) yield await describeSeries(db, viewer, rows, part)
    if (rows.length < batchRows) return
    after = rows.at(-1)
  }
}

type SeriesRow = Awaited<ReturnType<typeof selectSeriesAfter>>[number]

const describeSeries = async (
  db: ReadDb,
  viewer: Viewer,
  rows: readonly SeriesRow[],
  { tellsGaps = false }: Part,
): Promise<SeriesToExport[]> => {
  const ids = rows.map(({ id }) => id)
  const rowOf = new Map(rows.map((row) => [row.id, row]))
  const opinions = await selectOpinions(db, viewer, 'series', ids)
  const collections = await selectCollectionNames(db, ids)
  const gaps = tellsGaps ? await gapsOfSeries(db, viewer, ids) : undefined
  const shown = await showSeries(db, viewer, rows)
  return shown.flatMap((series) => {
    const row = rowOf.get(series.id)
    if (!row) return []
    return {
      shown: series,
      metadata: metadataOfSeries({ metadata: row.metadata, locks: '[]' }),
      externalIds: externalIdsIn(row.metadata),
      communityRating: row.community_rating,
      opinion: opinions.get(row.id),
      collections: collections.get(row.id) ?? [],
      gaps: gaps?.get(row.id),
    }
  })
}

interface BookCursor {
  readonly id: string
  readonly series_id: string
  readonly position_key: string
  readonly series_sort_key: string
}

/** It reads the books of a library that this viewer sees, series by name and each one's books in order. */
export async function* bookBatches(db: ReadDb, viewer: Viewer, part: Part): AsyncGenerator<BookToExport[]> {
  let after: BookCursor | undefined
  for (;;) {
    const rows = await selectBooksAfter(db, viewer, part, after)
    if (rows.length > 0) yield await describeBooks(db, viewer, rows)
    if (rows.length < batchRows) return
    after = rows.at(-1)
  }
}

type BookRow = Awaited<ReturnType<typeof selectBooksOfSeriesAfter>>[number]

/**
 * It first reads the rest of the series that was begun: with one statement for both, SQLite would read that series from
 * its start.
 */
const selectBooksAfter = async (
  db: ReadDb,
  viewer: Viewer,
  part: Part,
  after: BookCursor | undefined,
): Promise<BookRow[]> => {
  if (!after) return selectBooksOfSeriesAfter(db, viewer, part, { after: undefined, limit: batchRows })
  const { series_sort_key } = after
  const rest = await selectRestOfSeries(db, viewer, part, { after, limit: batchRows })
  const begun = rest.map((row) => ({ ...row, series_sort_key }))
  if (begun.length >= batchRows) return begun
  const behind = { sort_key: series_sort_key, id: after.series_id }
  const limit = batchRows - begun.length
  return [...begun, ...(await selectBooksOfSeriesAfter(db, viewer, part, { after: behind, limit }))]
}

const describeBooks = async (db: ReadDb, viewer: Viewer, rows: readonly BookRow[]): Promise<BookToExport[]> => {
  const ids = rows.map(({ id }) => id)
  const rowOf = new Map(rows.map((row) => [row.id, row]))
  const opinions = await selectOpinions(db, viewer, 'book', ids)
  const readLists = await selectReadListNames(db, ids)
  const shown = await showBooks(db, viewer, rows)
  return shown.flatMap((book) => {
    const row = rowOf.get(book.id)
    if (!row) return []
    return {
      shown: book,
      metadata: metadataOfBook({ metadata: row.metadata, locks: '[]' }),
      externalIds: externalIdsIn(row.metadata),
      opinion: opinions.get(row.id),
      readLists: readLists.get(row.id) ?? [],
    }
  })
}
