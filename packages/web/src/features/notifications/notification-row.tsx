import type { NotificationDto } from '@carrel/api'
import { VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useBookTitle } from '../../text/book-name.tsx'
import { AppLink } from '../../navigation/link.tsx'
import { seriesCover } from '../../lists/item/addresses.ts'
import { paths } from '../../navigation/paths.ts'
import { useTimeText } from '../../text/time-text.ts'
import { IconAction } from '../../ui/action-menu.tsx'
import { Cover } from '../../ui/cover/cover.tsx'
import { Columns, Row, Stack, Text } from '../../ui/layout/layout.tsx'
import styles from './notifications.module.css'

interface NotificationRowProps {
  readonly notification: NotificationDto
  readonly onRead: () => void
}

/** It shows the books added to a series at one time. Opening it marks it as read. */
export const NotificationRow = ({ notification, onRead }: NotificationRowProps): ReactNode => {
  const { t } = useTranslation('notifications')
  const { ago } = useTimeText()
  const { seriesId, seriesTitle, bookCount, books, createdAt, readAt } = notification
  const isNew = readAt === null
  const titleIn = useBookTitle()
  const named = books.map((book) => titleIn('series', { ...book, seriesName: seriesTitle }).text)
  const read = (): void => {
    if (isNew) onRead()
  }
  return (
    <Row as="li" gap={2} box pad={3} className={styles.row} data-is-new={isNew}>
      <Columns
        as={AppLink}
        gap={3}
        align="center"
        grow
        to={paths.series(seriesId)}
        className={styles.link}
        onClick={read}
      >
        <Cover src={seriesCover({ id: seriesId }, 44)} alt="" icon="series" />
        <Stack as="span">
          <Text as="span" lines={2} className={styles.title} dir="auto">
            {seriesTitle}
          </Text>
          {isNew ? <VisuallyHidden component="span">{t('new')}</VisuallyHidden> : null}
          <Text as="span" lines={3} quiet size={13} dir="auto">
            {[t('books', { count: bookCount }), named.join(', ')].filter(Boolean).join(': ')}
            {bookCount > books.length && books.length > 0 ? ' …' : ''}
          </Text>
          <Text as="span" lines={3} quiet size={13}>
            {ago(createdAt)}
          </Text>
        </Stack>
      </Columns>
      {isNew ? <IconAction icon="check" label={t('markRead', { title: seriesTitle })} onClick={read} /> : null}
    </Row>
  )
}
