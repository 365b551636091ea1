import type { BookDto } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useBookTitle } from '../../text/book-name.tsx'
import { AppLink } from '../../navigation/link.tsx'
import { paths } from '../../navigation/paths.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Stack } from '../../ui/layout/layout.tsx'
import { usePlacement } from './placement.tsx'

interface PlacementWindowProps {
  readonly book: BookDto
  readonly onClose: () => void
}

/** It says why a book is in its series, wherever the book stands. */
export const PlacementWindow = ({ book, onClose }: PlacementWindowProps): ReactNode => {
  const { t } = useTranslation('books')
  const titleIn = useBookTitle()
  const placement = usePlacement(book)
  return (
    <Dialog title={titleIn('mixed', book).text} isOpen onClose={onClose}>
      <Stack gap={3} aria-busy={placement === null}>
        <span>
          {`${t('placement.label')} `}
          {book.seriesId !== null && (
            <AppLink to={paths.series(book.seriesId)} dir="auto">
              {book.seriesName}
            </AppLink>
          )}
        </span>
        {placement}
      </Stack>
    </Dialog>
  )
}
