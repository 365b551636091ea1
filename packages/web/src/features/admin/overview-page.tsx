import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AppLink } from '../../link.tsx'
import { useMe } from '../../me.ts'
import { Icon } from '../../ui/icon.tsx'
import { Page } from '../../ui/page.tsx'
import { adminMenu } from './admin-menu.ts'
import styles from './overview-page.module.css'

/** What there is to administer, for whoever may. */
export const OverviewPage = (): ReactNode => {
  const { t } = useTranslation('admin')
  const { permissions } = useMe()
  return (
    <Page title={t('title')}>
      <ul className={styles.list}>
        {adminMenu
          .filter(({ permission }) => permissions.includes(permission))
          .map(({ path, label, icon }) => (
            <li key={path}>
              <AppLink to={path} className={styles.card}>
                <Icon name={icon} size="large" />
                <span>
                  <span className={styles.name}>{t(`menu.${label}.name`)}</span>
                  <span className={styles.text}>{t(`menu.${label}.text`)}</span>
                </span>
              </AppLink>
            </li>
          ))}
      </ul>
    </Page>
  )
}
