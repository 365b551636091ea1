import type { BookDetail } from '@carrel/api'
import { Button } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { addressOfBook } from '../../api/file-address.ts'
import { useBookTitle } from '../../text/book-name.tsx'
import { useMay } from '../../session/me.ts'
import { Row } from '../../ui/layout/layout.tsx'
import { NarrowPage } from '../../ui/layout/narrow-page.tsx'
import { isFlowing } from './flowing.ts'
import { leaveReader } from './controls/leave.ts'

/** It is shown for a book that cannot be opened, or that has not been analysed yet: where the file is there, it can be downloaded. */
export const NoPages = ({ book }: { readonly book: BookDetail }): ReactNode => {
  const { t } = useTranslation('reader')
  const router = useRouter()
  const titleIn = useBookTitle()
  const mayDownload = useMay('files:download') && !book.deleted
  const why = useReason(book)
  return (
    <NarrowPage title={titleIn('page', book).text} text={why}>
      <Row gap={3} align="stretch" wrap>
        {mayDownload ? (
          <Button component="a" href={addressOfBook(book.id)} download>
            {t('noPages.download')}
          </Button>
        ) : null}
        <Button variant="default" onClick={() => leaveReader(router)}>
          {t('leave')}
        </Button>
      </Row>
    </NarrowPage>
  )
}

/** The same as the page of the book says, where that is known. */
const useReason = ({ deleted, analysisError, fileFormat }: BookDetail): string => {
  const { t } = useTranslation('reader')
  if (deleted) return t('noPages.missing')
  if (analysisError !== null) return t('noPages.damaged', { why: analysisError })
  const format = fileFormat.toUpperCase()
  return isFlowing(fileFormat) ? t('noPages.flowing', { format }) : t('noPages.none', { format })
}
