import type { BookDto } from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { useBookTitle } from '../../text/book-name.tsx'
import { progressOf, useItemText } from './item-text.ts'

/** Where one goes on, in a few words: `Volume 3 · p. 14`; undefined in a book without a number that is not begun. */
export const usePositionText = (): ((
  book: BookDto,
  options?: { readonly withNumber?: boolean },
) => string | undefined) => {
  const { t } = useTranslation('lists')
  const text = useItemText()
  const titleIn = useBookTitle()
  return (book, { withNumber = true } = {}) => {
    // Without a title of its own its number stands in words.
    const { number } = titleIn('series', { ...book, title: book.seriesName })
    const named = number !== null && /^\d/.test(number) ? t('place.number', { number }) : number
    const progress = progressOf(book)
    const page = book.readProgress?.currentPage ?? 0
    const isPaged = book.pageCount > 0 && page > 0 && !isFlowing(book)
    const at =
      progress === undefined
        ? undefined
        : isPaged
          ? t('place.page', { page: text.number(page) })
          : text.percent(progress)
    const parts = [withNumber ? named : null, at].filter((part) => part !== null && part !== undefined)
    return parts.length === 0 ? undefined : parts.join(' · ')
  }
}

const flowing: ReadonlySet<string> = new Set(['epub', 'mobi', 'azw3', 'fb2'])

/** Its pages depend on the window it is read in. */
export const isFlowing = ({ fileFormat }: Pick<BookDto, 'fileFormat'>): boolean => flowing.has(fileFormat)
