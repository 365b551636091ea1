import {
  countBookErrors,
  glanceAtLibraries,
  listBookDuplicates,
  listMetadataMatches,
  listSeriesDuplicates,
  listTasks,
  readHeldChanges,
} from '@carrel/api'
import { useQueries } from '@tanstack/react-query'
import type { ComponentType, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { query, useLater } from '../../api/queries.ts'
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

/** It counts what somebody should look at. Each entry asks for its own: what another one counts is in the same cache. */
const Attention = ({ label }: Pick<AdminEntry, 'label'>): ReactNode => {
  const Count = counts[label]
  return Count === undefined ? null : <Count />
}

const Counted = ({ count, of }: { readonly count: number; readonly of: 'books' | 'tasks' | 'matches' }): ReactNode => {
  const { t } = useTranslation('admin')
  return count === 0 ? null : <Mark kind="warning">{t(`attention.${of}`, { count })}</Mark>
}

const HeldCount = (): ReactNode => {
  const libraries = useLater(glanceAtLibraries, {}).data?.libraries ?? []
  const held = useQueries({ queries: libraries.map(({ id }) => query(readHeldChanges, { params: { id } })) })
  return <Counted count={held.filter(({ data }) => (data?.body.held ?? null) !== null).length} of="matches" />
}

const MatchCount = (): ReactNode => {
  const { data } = useLater(listMetadataMatches, { query: { pageSize: 1 } })
  return <Counted count={data?.total ?? 0} of="matches" />
}

const DuplicateCount = (): ReactNode => {
  const series = useLater(listSeriesDuplicates, { query: { pageSize: 1 } }).data
  const books = useLater(listBookDuplicates, { query: { pageSize: 1 } }).data
  // Both at once: a number that grows after a moment looks like news.
  return series && books ? <Counted count={series.totalGroups + books.totalGroups} of="matches" /> : null
}

const ErrorCount = (): ReactNode => {
  const { data } = useLater(countBookErrors, {})
  return <Counted count={data?.kinds.reduce((sum, { count }) => sum + count, 0) ?? 0} of="books" />
}

const FailedCount = (): ReactNode => {
  const { data } = useLater(listTasks, { query: { status: 'failed', pageSize: 1 } })
  return <Counted count={data?.total ?? 0} of="tasks" />
}

const counts: Partial<Record<AdminEntry['label'], ComponentType>> = {
  libraries: HeldCount,
  matches: MatchCount,
  duplicates: DuplicateCount,
  bookErrors: ErrorCount,
  tasks: FailedCount,
}
