import { countBookErrors, listMetadataMatches, listTasks } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { useMe } from '../../session/me.ts'
import { Icon } from '../../ui/icon.tsx'
import { Columns, Grid } from '../../ui/layout/layout.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { Mark } from '../../ui/state/mark.tsx'
import { type AdminEntry, adminMenu } from './admin-menu.ts'
import styles from './overview-page.module.css'

/** The page lists everything the user may administer. */
export const OverviewPage = (): ReactNode => {
  const { t } = useTranslation('admin')
  const { permissions } = useMe()
  return (
    <Page title={t('title')}>
      <Grid as="ul" gap={3} min={18}>
        {adminMenu
          .filter(({ permission }) => permissions.includes(permission))
          .map(({ path, label, icon }) => (
            <li key={path}>
              <Columns as={AppLink} gap={4} align="center" box pad={4} to={path} className={styles.card}>
                <Icon name={icon} size="large" />
                <span>
                  <span className={styles.name}>
                    {t(`menu.${label}.name`)}
                    <Attention label={label} />
                  </span>
                  <span className={styles.text}>{t(`menu.${label}.text`)}</span>
                </span>
              </Columns>
            </li>
          ))}
      </Grid>
    </Page>
  )
}

/** It counts what somebody should look at. */
const Attention = ({ label }: Pick<AdminEntry, 'label'>): ReactNode => {
  const { t } = useTranslation('admin')
  const errors = useLater(countBookErrors, {}, { enabled: label === 'bookErrors' })
  const failed = useLater(listTasks, { query: { status: 'failed', pageSize: 1 } }, { enabled: label === 'tasks' })
  const waiting = useLater(listMetadataMatches, { query: { pageSize: 1 } }, { enabled: label === 'matches' })
  const matches = waiting.data?.total ?? 0
  const books = errors.data?.kinds.reduce((sum, { count }) => sum + count, 0) ?? 0
  const tasks = failed.data?.total ?? 0
  if (matches > 0) return <Mark kind="warning">{t('attention.matches', { count: matches })}</Mark>
  if (books > 0) return <Mark kind="warning">{t('attention.books', { count: books })}</Mark>
  return tasks === 0 ? null : <Mark kind="warning">{t('attention.tasks', { count: tasks })}</Mark>
}
