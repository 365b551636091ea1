import type { compatDirections, compatMediaStatuses, compatSeriesStatuses } from '@carrel/api/doors'
import { timestamp } from '../spelling.ts'
import type { ExternalLinkDto, FileFormat, SeriesMetadata } from '@carrel/api'

// Values of ours, as these applications call them

type Of<Words extends readonly string[]> = Words[number]

const statuses = { ended: 'ENDED', hiatus: 'HIATUS', abandoned: 'ABANDONED', ongoing: 'ONGOING' } as const

/** They know no other, and take what nobody knows for going on. */
export const seriesStatusOf = (status: SeriesMetadata['status']): Of<typeof compatSeriesStatuses> =>
  status === null || status === 'unknown' ? 'ONGOING' : statuses[status]

const directions = { ltr: 'LEFT_TO_RIGHT', rtl: 'RIGHT_TO_LEFT', ttb: 'VERTICAL', webtoon: 'WEBTOON' } as const

/** The direction is never null: half of the applications could not read the page then. */
export const directionOf = (direction: SeriesMetadata['readingDirection']): Of<typeof compatDirections> =>
  direction === null ? '' : directions[direction]

/** A year or a month begins with its first day. */
export const dayOf = (released: string | null): string | null =>
  released === null ? null : `${released}-01-01`.slice(0, 10)

export const mediaTypes: Readonly<Record<FileFormat, string>> = {
  cbz: 'application/zip',
  cbr: 'application/x-rar-compressed; version=4',
  cb7: 'application/x-7z-compressed',
  cbt: 'application/x-tar',
  folder: 'application/zip',
  epub: 'application/epub+zip',
  pdf: 'application/pdf',
  mobi: 'application/x-mobipocket-ebook',
  azw3: 'application/vnd.amazon.ebook',
  fb2: 'application/x-fictionbook+xml',
}

export const unsupportedFaults = ['unknown_format', 'unsupported', 'encrypted'] as const

export const mediaStatusOf = (analysed: boolean, fault: string | null): Of<typeof compatMediaStatuses> => {
  if (fault !== null) return unsupportedFaults.some((each) => each === fault) ? 'UNSUPPORTED' : 'ERROR'
  return analysed ? 'READY' : 'UNKNOWN'
}

/** Times of files are stored in microseconds. */
export const writtenAt = (microseconds: number): string => timestamp(new Date(microseconds / 1000).toISOString())

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** `12.3 MiB` */
export const formatSize = (bytes: number): string => {
  const step = bytes < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  return step === 0 ? `${bytes} B` : `${(bytes / 1024 ** step).toFixed(1)} ${units[step]}`
}

export const linksOf = (links: readonly ExternalLinkDto[]) => links.map(({ source, url }) => ({ label: source, url }))

export const distinct = (names: readonly string[]): string[] => [...new Set(names)]
