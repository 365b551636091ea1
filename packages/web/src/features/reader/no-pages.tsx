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

/** It is shown for a book whose text flows, or that has not been analysed yet: the file can be downloaded. */
export const NoPages = ({ book }: { readonly book: BookDetail }): ReactNode => {
  const { t } = useTranslation('reader')
  const router = useRouter()
  const titleIn = useBookTitle()
  const mayDownload = useMay('files:download')
  const format = book.fileFormat.toUpperCase()
  return (
    <NarrowPage
      title={titleIn('page', book).text}
      text={isFlowing(book.fileFormat) ? t('noPages.flowing', { format }) : t('noPages.none', { format })}
    >
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
