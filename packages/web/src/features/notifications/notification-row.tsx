import type { NotificationDto } from '@carrel/api'
import { VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AppLink } from '../../link.tsx'
import { seriesCover } from '../../lists/addresses.ts'
import { paths } from '../../paths.ts'
import { useTimeText } from '../../time-text.ts'
import { IconAction } from '../../ui/action-menu.tsx'
import { Cover } from '../../ui/cover.tsx'
import styles from './notifications.module.css'

interface NotificationRowProps {
  readonly notification: NotificationDto
  readonly onRead: () => void
}

/** What came into a series at one time. To go there is to have read it. */
export const NotificationRow = ({ notification, onRead }: NotificationRowProps): ReactNode => {
  const { t } = useTranslation('notifications')
  const { ago } = useTimeText()
  const { seriesId, seriesTitle, bookCount, books, createdAt, readAt } = notification
  const isNew = readAt === null
  const read = (): void => {
    if (isNew) onRead()
  }
  return (
    <li className={styles.row} data-is-new={isNew}>
      <AppLink to={paths.series(seriesId)} className={styles.link} onClick={read}>
        <Cover src={seriesCover({ id: seriesId }, 44)} alt="" icon="series" />
        <span className={styles.words}>
          <span className={styles.title} dir="auto">
            {seriesTitle}
          </span>
          {isNew ? <VisuallyHidden component="span">{t('new')}</VisuallyHidden> : null}
          <span className={styles.line} dir="auto">
            {[t('books', { count: bookCount }), books.map(({ title }) => title).join(', ')].filter(Boolean).join(': ')}
            {bookCount > books.length && books.length > 0 ? ' …' : ''}
          </span>
          <span className={styles.line}>{ago(createdAt)}</span>
        </span>
      </AppLink>
      {isNew ? <IconAction icon="check" label={t('markRead', { title: seriesTitle })} onClick={read} /> : null}
    </li>
  )
}
