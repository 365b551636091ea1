import type { CompatSeries } from '@carrel/api/doors'
import type { ReadDb } from '../../../database/database.ts'
import { metadataOfSeries } from '../../../catalogue/metadata/metadata.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import { type Spelling, timestamp } from '../spelling.ts'
import { dayOf, directionOf, distinct, linksOf, seriesStatusOf, writtenAt } from './formatting.ts'
import {
  type BooksOfSeries,
  selectBooksOfSeries,
  selectSeriesRows,
  selectSharingLabels,
  selectTermsOfBooks,
  type SeriesRow,
  type TermOfSeries,
} from './queries.ts'

/** It is a viewer, with the spelling in which results are written for them. */
export interface CompatViewer {
  readonly viewer: Viewer
  readonly spelling: Spelling
}

interface Around {
  readonly books: BooksOfSeries
  readonly terms: readonly TermOfSeries[]
  readonly labels: readonly string[]
}

type ReadCount = 'booksReadCount' | 'booksUnreadCount' | 'booksInProgressCount'

/** A series as all with the same rights see it, whatever they have read of it. */
export type DescribedSeries = Omit<CompatSeries, ReadCount>

/** Five hundred take as many statements as one. */
export const describeSeries = async (
  db: ReadDb,
  { viewer, spelling }: CompatViewer,
  ids: readonly string[],
): Promise<ReadonlyMap<string, DescribedSeries>> => {
  const rows = await selectSeriesRows(db, viewer, ids)
  const books = await selectBooksOfSeries(db, viewer, ids)
  const terms = await selectTermsOfBooks(db, viewer, ids)
  const labels = viewer.seesPaths ? await selectSharingLabels(db, ids) : new Map<string, string[]>()
  const described = [...rows].map(([id, row]): [string, DescribedSeries] => [
    id,
    toSeries(row, viewer, spelling, {
      books: books.get(id) ?? { count: 0, released: null, oneshots: 0, changed: row.updated_at, written_us: null },
      terms: terms.get(id) ?? [],
      labels: labels.get(id) ?? [],
    }),
  ])
  return new Map(described)
}

export const withReadCounts = (
  series: DescribedSeries,
  { read, inProgress }: { readonly read: number; readonly inProgress: number },
): CompatSeries => {
  const booksReadCount = Math.min(read, series.booksCount)
  const booksInProgressCount = Math.min(inProgress, series.booksCount - booksReadCount)
  const booksUnreadCount = series.booksCount - booksReadCount - booksInProgressCount
  return { ...series, booksReadCount, booksUnreadCount, booksInProgressCount }
}

const toSeries = (
  row: SeriesRow,
  { seesPaths }: Viewer,
  spelling: Spelling,
  { books, terms, labels }: Around,
): DescribedSeries => {
  const [created, lastModified] = [timestamp(row.created_at), timestamp(row.updated_at)]
  return {
    id: spelling.outId(row.id),
    libraryId: spelling.outId(row.library_id),
    name: row.name,
    url: seesPaths ? (row.path ?? '') : '',
    created,
    lastModified,
    fileLastModified: books.written_us === null ? created : writtenAt(books.written_us),
    booksCount: books.count,
    metadata: { ...metadataIn(row), sharingLabels: [...labels], created, lastModified },
    booksMetadata: {
      authors: spelling.authors([...metadataOfSeries(row).authors, ...terms.filter(({ kind }) => kind === 'person')]),
      tags: distinct(terms.filter(({ kind }) => kind === 'tag').map(({ name }) => name)),
      releaseDate: dayOf(books.released),
      summary: row.told_summary ?? '',
      summaryNumber: row.told_summary === null ? '' : (row.told_number ?? ''),
      created,
      lastModified: timestamp(books.changed),
    },
    deleted: books.count === 0,
    oneshot: books.count === 1 && books.oneshots === 1,
  }
}

const metadataIn = (row: SeriesRow) => {
  const metadata = metadataOfSeries(row)
  return {
    status: seriesStatusOf(metadata.status),
    statusLock: metadata.statusLock,
    title: row.title,
    titleLock: metadata.titleLock,
    titleSort: row.title_sort ?? row.title,
    titleSortLock: metadata.titleSortLock,
    summary: metadata.summary ?? '',
    summaryLock: metadata.summaryLock,
    readingDirection: directionOf(metadata.readingDirection),
    readingDirectionLock: metadata.readingDirectionLock,
    publisher: metadata.publisher ?? '',
    publisherLock: metadata.publisherLock,
    ageRating: metadata.ageRating,
    ageRatingLock: metadata.ageRatingLock,
    language: metadata.language ?? '',
    languageLock: metadata.languageLock,
    genres: metadata.genres,
    genresLock: metadata.genresLock,
    tags: metadata.tags,
    tagsLock: metadata.tagsLock,
    totalBookCount: metadata.totalVolumeCount,
    totalBookCountLock: metadata.totalVolumeCountLock,
    // Only people set sharing labels: no file changes them back.
    sharingLabelsLock: true,
    links: linksOf(metadata.externalLinks),
    linksLock: false,
    alternateTitles: metadata.alternateTitles,
    alternateTitlesLock: false,
  }
}
