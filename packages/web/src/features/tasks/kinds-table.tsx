import type { TaskTypeMetrics } from '@carrel/api'
import { Box } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFailureSentence } from '../../text/problem-text.ts'
import { useTimeText } from '../../text/time-text.ts'
import { EmptyState } from '../../ui/state/state.tsx'
import styles from './figures-page.module.css'
import { useTaskText } from './task-text.ts'
import { ToAdministration } from '../../navigation/way-out.tsx'

/** It shows the duration of each kind of task, and how often it fails. */
export const KindsTable = ({ kinds }: { readonly kinds: readonly TaskTypeMetrics[] }): ReactNode => {
  const { t, i18n } = useTranslation('tasks')
  const { name } = useTaskText()
  const sentence = useFailureSentence()
  const { span, moment } = useTimeText()
  const number = new Intl.NumberFormat(i18n.resolvedLanguage)
  if (kinds.length === 0) return <EmptyState icon="clock" title={t('figures.none')} action={<ToAdministration />} />
  return (
    <Box className={styles.wide ?? ''} role="region" aria-label={t('figures.byKind')} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('figures.kind')}</th>
            <th scope="col">{t('figures.runs')}</th>
            <th scope="col">{t('figures.failures')}</th>
            <th scope="col">{t('figures.usual')}</th>
            <th scope="col">{t('figures.slow')}</th>
            <th scope="col">{t('figures.wait')}</th>
            <th scope="col">{t('figures.items')}</th>
          </tr>
        </thead>
        <tbody>
          {kinds.map((kind) => (
            <tr key={kind.taskType}>
              <th scope="row">
                {name(kind.taskType)}
                {kind.lastFailure === null ? null : (
                  <span className={styles.error}>
                    {kind.lastErrorAt === null ? '' : `${moment(kind.lastErrorAt)}: `}
                    {sentence(kind.lastFailure)}
                  </span>
                )}
              </th>
              <td>{number.format(kind.executed)}</td>
              <td>{number.format(kind.failed)}</td>
              <td>{span(kind.p50DurationMs)}</td>
              <td>{span(kind.p95DurationMs)}</td>
              <td>{span(kind.avgQueueWaitMs)}</td>
              <td>{number.format(kind.itemsProcessed)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Box>
  )
}
