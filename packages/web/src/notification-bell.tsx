import { readUnreadCount } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from './api/queries.ts'
import { AppLink } from './link.tsx'
import styles from './notification-bell.module.css'
import { paths } from './paths.ts'
import { Icon } from './ui/icon.tsx'

/** More of them nobody counts. */
const countedMax = 99

/** The way to what one has been told, and how much of it is new. */
export const NotificationBell = (): ReactNode => {
  const { t } = useTranslation()
  const { data } = useLater(readUnreadCount, {})
  const count = data?.count ?? 0
  const label = count === 0 ? t('bell.none') : t('bell.unread', { count })
  return (
    <nav className={styles.place} aria-label={t('bell.none')}>
      <AppLink to={paths.notifications()} className={styles.bell} aria-label={label} title={label}>
        <Icon name="bell" />
        {count === 0 ? null : (
          <span className={styles.count} aria-hidden="true">
            {count > countedMax ? `${countedMax}+` : count}
          </span>
        )}
      </AppLink>
    </nav>
  )
}
