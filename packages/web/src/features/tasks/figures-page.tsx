import { readTaskMetrics } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useTimeText } from '../../text/time-text.ts'
import { Grid, Stack } from '../../ui/layout/layout.tsx'
import { Section } from '../../ui/layout/page.tsx'
import styles from './figures-page.module.css'
import { History } from './history.tsx'
import { KindsTable } from './kinds-table.tsx'
import { TasksFrame } from './tasks-frame.tsx'

/** The page shows the figures of background tasks: now, by kind, and over time. */
export const TaskFiguresPage = (): ReactNode => {
  const { t } = useTranslation('tasks')
  const { byType, retention } = useRead(readTaskMetrics, {})
  return (
    <TasksFrame>
      <Summary />
      <Section title={t('figures.history')}>
        <History />
      </Section>
      <Section title={t('figures.byKind')} text={t('figures.kept', { count: Number(retention) })}>
        <KindsTable kinds={byType} />
      </Section>
    </TasksFrame>
  )
}

const Summary = (): ReactNode => {
  const { t, i18n } = useTranslation('tasks')
  const { span } = useTimeText()
  const { queue, summary } = useRead(readTaskMetrics, {})
  const format = new Intl.NumberFormat(i18n.resolvedLanguage, { maximumFractionDigits: 1 })
  const figures = [
    [t('figures.running'), format.format(queue.processingCount)],
    [t('figures.waiting'), format.format(queue.pendingCount)],
    [t('figures.oldest'), queue.oldestPendingAgeMs === null ? '–' : span(queue.oldestPendingAgeMs)],
    [t('figures.perMinute'), format.format(summary.tasksPerMinute)],
    [t('figures.succeeded'), format.format(summary.totalSucceeded)],
    [t('figures.failed'), format.format(summary.totalFailed)],
  ] as const
  return (
    <Grid as="dl" gap={3} min={7} stretch className={styles.summary}>
      {figures.map(([name, value]) => (
        <Stack key={name} box>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </Stack>
      ))}
    </Grid>
  )
}
