import { readTaskMetricsHistory, type TaskMetricsHistory } from '@carrel/api'
import { SegmentedControl } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { Row, Text } from '../../ui/layout/layout.tsx'
import styles from './figures-page.module.css'
import { type Bar, barsOf } from './bars.ts'
import { historyQuery } from './task-query.ts'

const route = getRouteApi('/signed-in/framed/administered/admin/tasks/figures')

/** Tasks that ended, over time, as a picture and as a table. */
export const History = (): ReactNode => {
  const { t } = useTranslation('tasks')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { data } = useLater(readTaskMetricsHistory, { query: historyQuery(search) }, { keepPrevious: true })
  return (
    <>
      <SegmentedControl
        className={styles.by ?? ''}
        aria-label={t('figures.by')}
        value={search.by ?? 'day'}
        data={[
          { value: 'hour', label: t('figures.hours') },
          { value: 'day', label: t('figures.days') },
        ]}
        onChange={(by) => void navigate({ search: { ...search, by: by === 'hour' ? 'hour' : undefined } })}
      />
      {data === undefined ? null : <Chart history={data} />}
    </>
  )
}

const Chart = ({ history }: { readonly history: TaskMetricsHistory }): ReactNode => {
  const { t, i18n } = useTranslation('tasks')
  const bars = barsOf(history)
  const isByHour = history.granularity === 'hour'
  const format = new Intl.DateTimeFormat(
    i18n.resolvedLanguage,
    isByHour
      ? { weekday: 'short', hour: '2-digit', minute: '2-digit' }
      : { day: 'numeric', month: 'short', timeZone: 'UTC' },
  )
  const number = new Intl.NumberFormat(i18n.resolvedLanguage)
  const rows = bars.map((bar) => ({ ...bar, when: format.format(new Date(bar.at)) }))
  const sum = bars.reduce((all, { count }) => all + count, 0)
  const failed = bars.reduce((all, bar) => all + bar.failed, 0)
  return (
    <>
      <Text role="status">
        {t('figures.ended', { count: sum, number: number.format(sum) })} ·{' '}
        {t('figures.endedBadly', { count: failed, number: number.format(failed) })}
      </Text>
      <Bars rows={rows} />
      <details>
        <summary>{t('figures.asTable')}</summary>
        <Table rows={rows} />
      </details>
    </>
  )
}

interface RowsProps {
  readonly rows: readonly (Bar & { readonly when: string })[]
}

const Bars = ({ rows }: RowsProps): ReactNode => {
  const most = Math.max(1, ...rows.map(({ count }) => count))
  return (
    <div aria-hidden="true">
      <Row gap="hair" align="end" className={styles.chart}>
        {rows.map(({ at, when, count, failed }) => (
          <Row align="end" key={at} className={styles.slot} title={`${when}: ${count}`}>
            <div className={styles.bar} data-is-empty={count === 0} style={{ height: `${(count / most) * 100}%` }}>
              <div className={styles.bad} style={{ height: `${count === 0 ? 0 : (failed / count) * 100}%` }} />
            </div>
          </Row>
        ))}
      </Row>
      <Row as="p" align="stretch" justify="between" className={styles.ends}>
        <span>{rows[0]?.when}</span>
        <span>{rows.at(-1)?.when}</span>
      </Row>
    </div>
  )
}

const Table = ({ rows }: RowsProps): ReactNode => {
  const { t, i18n } = useTranslation('tasks')
  const number = new Intl.NumberFormat(i18n.resolvedLanguage)
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{t('figures.when')}</th>
          <th scope="col">{t('figures.runs')}</th>
          <th scope="col">{t('figures.failures')}</th>
        </tr>
      </thead>
      <tbody>
        {rows
          .filter(({ count }) => count > 0)
          .map(({ at, when, count, failed }) => (
            <tr key={at}>
              <th scope="row">{when}</th>
              <td>{number.format(count)}</td>
              <td>{number.format(failed)}</td>
            </tr>
          ))}
      </tbody>
    </table>
  )
}
