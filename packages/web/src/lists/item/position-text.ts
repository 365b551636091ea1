import type { BookDto } from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { useNumberInWords } from '../../text/book-name.tsx'
import { isFlowing, progressOf, useItemText } from './item-text.ts'

/** Where one goes on, in a few words: `Volume 3 · p. 14`; undefined in a book without a number that is not begun. */
export const usePositionText = (): ((
  book: BookDto,
  options?: { readonly withNumber?: boolean },
) => string | undefined) => {
  const { t } = useTranslation('lists')
  const text = useItemText()
  const inWords = useNumberInWords()
  return (book, { withNumber = true } = {}) => {
    const progress = progressOf(book)
    const page = book.readProgress?.currentPage ?? 0
    const isPaged = book.pageCount > 0 && page > 0 && !isFlowing(book)
    const at =
      progress === undefined
        ? undefined
        : isPaged
          ? t('place.page', { page: text.number(page) })
          : text.percent(progress)
    const parts = [withNumber ? inWords(book) : null, at].filter((part) => part !== null && part !== undefined)
    return parts.length === 0 ? undefined : parts.join(' · ')
  }
}
