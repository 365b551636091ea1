import type { BookDetail } from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { isUnreadable } from '../../lists/item/item-text.ts'
import { usePositionText } from '../../lists/item/position-text.ts'
import { paths } from '../../navigation/paths.ts'
import type { MainActionText } from '../../ui/detail/main-action.tsx'

/** Where one reads on in a book. Undefined where there is nothing to open: its page says why. */
export const useMainAction = (book: BookDetail): MainActionText | undefined => {
  const { t } = useTranslation('books')
  const placeIn = usePositionText()
  const { readProgress } = book
  if (book.deleted || isUnreadable(book)) return undefined
  const word = readProgress?.completed === true ? 'readAgain' : readProgress === null ? 'read' : 'continue'
  // Which volume it is, the heading says.
  return { to: paths.read(book.id), label: t(`go.${word}`), at: placeIn(book, { withNumber: false }) }
}
