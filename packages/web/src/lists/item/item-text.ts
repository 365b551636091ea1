import type { BookDto, SeriesDto } from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { dateFormat, numberFormat } from '../../text/formats.ts'

/** The figures of a book or series in a few words, in the language of whoever reads them. */
export const useItemText = () => {
  const { t, i18n } = useTranslation('lists')
  const language = i18n.resolvedLanguage
  return {
    ofSeries: ({ year, bookCount }: SeriesDto): string =>
      [year === null ? undefined : String(year), t('count.books', { count: bookCount })].filter(Boolean).join(' · '),
    count: (what: 'books' | 'series' | 'pages' | 'unread', count: number): string => t(`count.${what}`, { count }),
    number: (value: number): string => numberFormat(language).format(value),
    percent: (share: number): string => numberFormat(language, { style: 'percent' }).format(share),
    ofBook: ({ pageCount, analyzed, fileFormat }: BookDto): string =>
      analyzed && pageCount > 0 && !flowing.has(fileFormat)
        ? t('count.pages', { count: pageCount })
        : fileFormat.toUpperCase(),
    /** Where somebody is: on which page, or how far where pages have no numbers. */
    begun: (book: BookDto, share: number): string =>
      book.readProgress !== null && book.pageCount > 0 && book.readProgress.currentPage > 0 && !isFlowing(book)
        ? t('atPage', { page: book.readProgress.currentPage, pages: book.pageCount })
        : numberFormat(language, { style: 'percent' }).format(share),
    date: (time: string): string => dateFormat(language, { dateStyle: 'medium' }).format(new Date(time)),
    size: (bytes: number): string => {
      const [value, unit] =
        bytes >= 1e9 ? [bytes / 1e9, 'gigabyte'] : bytes >= 1e6 ? [bytes / 1e6, 'megabyte'] : [bytes / 1e3, 'kilobyte']
      const options = { style: 'unit', unit, maximumFractionDigits: value < 10 ? 1 : 0 } as const
      return numberFormat(language, options).format(value)
    },
  }
}

const flowing: ReadonlySet<string> = new Set(['epub', 'mobi', 'azw3', 'fb2'])

/** Its pages depend on the window it is read in. */
export const isFlowing = ({ fileFormat }: { readonly fileFormat: string }): boolean => flowing.has(fileFormat)

/** It is the share that has been read, from 0 to 1; undefined when it has not been begun, or has been finished. */
export const progressOf = ({ readProgress, pageCount }: BookDto): number | undefined => {
  if (!readProgress || readProgress.completed) return undefined
  return readProgress.progressPercentage ?? (pageCount > 0 ? readProgress.currentPage / pageCount : undefined)
}

/** It is the share of its books that have been read; undefined when none has been, or all have. */
export const readShareOf = ({ bookCount, unreadCount }: SeriesDto): number | undefined =>
  unreadCount === 0 || unreadCount >= bookCount ? undefined : (bookCount - unreadCount) / bookCount

/** It returns whether its file has been looked at in vain: not one page of it can be opened. */
export const isUnreadable = ({ analysisError, pageCount }: BookDto): boolean =>
  analysisError !== null && pageCount === 0

/** It returns whether nothing of it is left to read. */
export const isReadWhole = (item: SeriesDto | BookDto): boolean =>
  'seriesId' in item ? item.readProgress?.completed === true : item.unreadCount === 0
