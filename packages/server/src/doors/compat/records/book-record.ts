import { pathBelow } from '../../../platform/files/file-names.ts'
import type { CompatBook } from '@carrel/api/doors'
import type { ReadProgress } from '@carrel/api'
import type { ReadDb } from '../../../database/database.ts'
import { metadataOfBook } from '../../../catalogue/metadata/metadata.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import { type Spelling, timestamp } from '../spelling.ts'
import { dayOf, linksOf, mediaStatusOf, mediaTypes, formatSize, writtenAt } from './formatting.ts'
import { type BookRow, type PositionInSeries, selectBookRows, selectPositions } from './queries.ts'
import type { CompatViewer } from './series-record.ts'

/** A book as all with the same rights see it, whatever they have read of it. */
export type DescribedBook = Omit<CompatBook, 'readProgress'>

/** Five hundred take as many statements as one. */
export const describeBooks = async (
  db: ReadDb,
  { viewer, spelling }: CompatViewer,
  ids: readonly string[],
): Promise<ReadonlyMap<string, DescribedBook>> => {
  const rows = await selectBookRows(db, viewer, ids)
  if (rows.size === 0) return new Map()
  const seriesIds = [...new Set([...rows.values()].map(({ series_id }) => series_id))]
  const positions = await selectPositions(db, viewer, { ids, seriesIds })
  const described = [...rows].map(([id, row]): [string, DescribedBook] => [
    id,
    toBook(row, viewer, spelling, positions.get(id) ?? { position: 1, among: 0 }),
  ])
  return new Map(described)
}

/** These applications sort books by this number, and report progress with it. */
const numberSortOf = (row: BookRow, position: number): number => row.number_sort ?? numberOf(row, position)

/** It is the shown number; another number for sorting leaves it as it is. */
const numberOf = (row: BookRow, position: number): number => row.number ?? row.chapter ?? row.volume ?? position

const toBook = (
  row: BookRow,
  { seesPaths }: Viewer,
  spelling: Spelling,
  { position, among }: PositionInSeries,
): DescribedBook => {
  const fileName = row.file_name ?? ''
  const [created, lastModified] = [timestamp(row.created_at), timestamp(row.updated_at)]
  return {
    id: spelling.outId(row.id),
    // Its series does not exist for whoever may not see it; these applications take no null here.
    seriesId: row.told_series_id === null ? '' : spelling.outId(row.told_series_id),
    seriesTitle: row.series_title ?? '',
    libraryId: spelling.outId(row.library_id),
    name: fileName.replace(/(?<=.)\.[^.]{1,8}$/, '') || row.title,
    url: seesPaths ? pathBelow(row.root_path, row.folder, fileName) : fileName,
    number: position,
    created,
    lastModified,
    fileLastModified: row.modified_us === null ? lastModified : writtenAt(row.modified_us),
    sizeBytes: row.size,
    size: formatSize(row.size),
    media: mediaOf(row, spelling.mediaProfileOf(row.format)),
    metadata: { ...metadataIn(row, spelling, position), created, lastModified },
    deleted: row.state === 'missing',
    fileHash: row.file_hash ?? '',
    oneshot: among === 1 && row.book_type?.toLowerCase() === 'oneshot',
  }
}

const mediaOf = (row: BookRow, mediaProfile: CompatBook['media']['mediaProfile']): CompatBook['media'] => ({
  status: mediaStatusOf(row.analysed === 1, row.fault_code),
  mediaType: mediaTypes[row.format],
  pagesCount: row.page_count,
  comment: row.fault_message ?? '',
  // Its pages are listed: many show nothing of an EPUB but those.
  epubDivinaCompatible: mediaProfile === 'EPUB' && row.paged !== null,
  epubIsKepub: false,
  mediaProfile,
})

const metadataIn = (row: BookRow, spelling: Spelling, position: number) => {
  const metadata = metadataOfBook(row)
  return {
    title: row.title,
    titleLock: metadata.titleLock,
    summary: row.summary ?? '',
    summaryLock: metadata.summaryLock,
    number: row.number_text ?? String(numberOf(row, position)),
    numberLock: metadata.numberLock,
    numberSort: numberSortOf(row, position),
    numberSortLock: metadata.numberSortLock,
    releaseDate: dayOf(row.released),
    releaseDateLock: metadata.yearLock,
    authors: spelling.authors(metadata.authors),
    authorsLock: metadata.authorsJsonLock,
    tags: metadata.tags,
    tagsLock: metadata.tagsLock,
    isbn: metadata.isbns[0] ?? '',
    isbnLock: metadata.isbnsLock,
    links: linksOf(metadata.externalLinks),
    linksLock: false,
  }
}

export const toProgress = (progress: ReadProgress | undefined): CompatBook['readProgress'] =>
  progress === undefined
    ? null
    : {
        page: progress.currentPage,
        completed: progress.completed,
        readDate: timestamp(progress.updatedAt),
        created: timestamp(progress.startedAt),
        lastModified: timestamp(progress.updatedAt),
        deviceId: '',
        deviceName: '',
      }
