import { readUnreadCount } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../api/queries.ts'
import { AppLink } from '../navigation/link.tsx'
import styles from './notification-bell.module.css'
import { paths } from '../navigation/paths.ts'
import { useServerProblems } from './server-problems.tsx'
import { Icon } from '../ui/icon.tsx'
import { Center } from '../ui/layout/layout.tsx'
import { useIsPainted } from '../ui/state/first-paint.ts'

/** Nobody counts more of them. */
const countedMax = 99

/** It links to the notifications, and shows how many are new. */
export const NotificationBell = (): ReactNode => {
  const { t } = useTranslation()
  const { data } = useLater(readUnreadCount, {}, { enabled: useIsPainted() })
  const problems = useServerProblems()
  const count = (data?.count ?? 0) + problems.length
  const label = count === 0 ? t('bell.none') : t('bell.unread', { count })
  return (
    <nav aria-label={t('bell.none')}>
      <Center as={AppLink} to={paths.notifications()} className={styles.bell} aria-label={label} title={label}>
        <Icon name="bell" />
        {count === 0 ? null : (
          <span className={styles.count} aria-hidden="true">
            {count > countedMax ? `${countedMax}+` : count}
          </span>
        )}
      </Center>
    </nav>
  )
}
