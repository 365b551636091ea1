import { type BookDetail, readTimeLeft } from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { isFlowing } from '../../lists/item/item-text.ts'
import { progressOf } from '../../lists/item/item-text.ts'
import { useMay } from '../../session/me.ts'
import { useDurationText } from '../../text/duration-text.ts'

interface ReadingTime {
  /** It stands for a book that is not begun. */
  readonly total?: string | undefined
  /** It stands for one that is. */
  readonly left?: string | undefined
}

/** What is counted as a page of text has 1,024 characters, and most people read as many in a minute. */
const usualPageMs = 60_000

/** How long it takes: at the user's own pace, or a text as most people read as long as too little is known of that. */
export const useReadingTime = (book: BookDetail): ReadingTime => {
  const { t } = useTranslation('books')
  const duration = useDurationText()
  const { data } = useLater(readTimeLeft, { params: { id: book.id } }, { enabled: useMay('progress:read') })
  const own = data?.timeLeftMs ?? null
  const progress = progressOf(book)
  const usual = isFlowing(book) ? book.pageCount * usualPageMs * (1 - (progress ?? 0)) : 0
  const ms = own ?? usual
  if (!data || ms === 0) return {}
  const time = duration(ms)
  if (progress !== undefined) return { left: t(own === null ? 'timeLeftUsually' : 'timeLeft', { time }) }
  return book.readProgress === null ? { total: t('about', { time }) } : {}
}
