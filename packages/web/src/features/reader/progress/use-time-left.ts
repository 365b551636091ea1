import { readTimeLeft } from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../../api/queries.ts'

/** How long a page takes this person, as the server has measured it; undefined where too little is known. */
const useMsPerPage = (bookId: string): number | undefined => {
  const { data } = useLater(readTimeLeft, { params: { id: bookId } })
  if (!data || data.timeLeftMs === null || data.pagesLeft === null || data.pagesLeft === 0) return undefined
  return data.timeLeftMs / data.pagesLeft
}

interface PagePosition {
  readonly bookId: string
  readonly pageCount: number
  /** The last page in view. */
  readonly page: number
}

const hourMs = 3_600_000
const minuteMs = 60_000

/** What is left of the book: in time, where the server knows how fast this person reads it, else in pages. */
export const useTimeLeft = ({ bookId, pageCount, page }: PagePosition): string => {
  const { t } = useTranslation('reader')
  const msPerPage = useMsPerPage(bookId)
  const pagesLeft = Math.max(0, pageCount - page)
  if (pagesLeft === 0) return t('left.last')
  if (msPerPage === undefined) return t('left.pages', { count: pagesLeft })
  const ms = msPerPage * pagesLeft
  if (ms < minuteMs) return t('left.soon')
  const minutes = Math.round((ms % hourMs) / minuteMs)
  return ms < hourMs ? t('left.minutes', { minutes }) : t('left.hours', { hours: Math.floor(ms / hourMs), minutes })
}

/** How long the rest of a chapter takes; undefined where nobody knows. */
export const useTimeLeftIn = (bookId: string, pagesLeft: number | undefined): string | undefined => {
  const { t } = useTranslation('reader')
  const msPerPage = useMsPerPage(bookId)
  if (msPerPage === undefined || pagesLeft === undefined) return undefined
  return t('left.inChapter', { minutes: Math.max(1, Math.round((msPerPage * pagesLeft) / minuteMs)) })
}
