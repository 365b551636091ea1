import { foundPersonCountMax, type NamedBook } from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { isFlowing } from '../../lists/item/item-text.ts'
import { useCardLines } from '../../text/book-name.tsx'
import { type Hit, isBegun } from './hits.ts'

/** More names leave no room for what else there is to say. */
const authorsMax = 2

export interface HitText {
  /** It stands in a chip of its own, so that it is never what is cut off. */
  readonly number: string | null
  readonly title: string
  /** Whose it is, and what matters of it. */
  readonly below: readonly string[]
}

/** It says what a hit is, in the language of the user. */
export const useHitText = (): ((hit: Hit) => HitText) => {
  const { t, i18n } = useTranslation('palette')
  const cardLines = useCardLines()
  const percent = new Intl.NumberFormat(i18n.resolvedLanguage, { style: 'percent', maximumFractionDigits: 0 })
  const stateOf = (book: Hit): string => {
    const { readProgress, pageCount = 0, fileFormat = '' } = book
    if (readProgress?.completed === true) return t('read')
    if (readProgress && isBegun(book)) {
      // A page of a text is what the screen makes it.
      if (pageCount > 0 && !isFlowing({ fileFormat }))
        return t('pageOf', { page: Math.max(1, readProgress.currentPage), count: pageCount })
      return t('percentRead', { percent: percent.format(readProgress.progressPercentage ?? 0) })
    }
    return pageCount > 0 && !isFlowing({ fileFormat }) ? t('pages', { count: pageCount }) : fileFormat.toUpperCase()
  }
  const ofBook = (hit: Hit): HitText => {
    const book: NamedBook = { ...hit, title: hit.value, seriesName: hit.seriesName ?? '' }
    const { number, title, second } = cardLines(book, false)
    return { number, title: title ?? hit.value, below: [second ?? '', stateOf(hit)] }
  }
  return (hit) => {
    const { kind, value, count, year, unreadCount = count, authors = [] } = hit
    if (kind === 'book') return ofBook(hit)
    const title = { number: null, title: value }
    if (kind !== 'series') {
      const isMany = kind === 'person' && count === foundPersonCountMax
      return { ...title, below: [isMany ? t('personMany', { count }) : t(`named.${kind}`, { count })] }
    }
    const read = count - unreadCount
    return {
      ...title,
      below: [
        authors.slice(0, authorsMax).join(', '),
        year == null ? '' : String(year),
        t('books', { count }),
        read === 0 ? '' : read === count ? t('read') : t('readOf', { count: read }),
      ],
    }
  }
}
