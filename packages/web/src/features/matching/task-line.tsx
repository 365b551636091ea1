import type { TaskDto } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFailureSentence } from '../../text/problem-text.ts'
import { Stack, Text } from '../../ui/layout/layout.tsx'
import { Meter } from '../../ui/state/meter.tsx'
import { ServerWords } from '../../ui/state/server-words.tsx'
import { Notice } from '../../ui/state/state.tsx'
import styles from './library.module.css'

interface TaskLineProps {
  readonly task: TaskDto
  readonly label: string
}

/** It shows the progress of a task while it runs, and why it failed if it did. */
export const TaskLine = ({ task: { status, progress, lastError, lastFailure }, label }: TaskLineProps): ReactNode => {
  const { t } = useTranslation('matching')
  const sentence = useFailureSentence()
  if (status === 'failed')
    return (
      <Notice kind="danger">
        {t('task.failed')} {lastFailure === null ? null : sentence(lastFailure)}
        {lastError === null ? null : <ServerWords text={lastError} />}
      </Notice>
    )
  if (status === 'pending') return <Text quiet>{t('task.waiting')}</Text>
  if (status !== 'processing') return null
  const { current = 0, total = 0, message = null } = progress ?? {}
  const far =
    total > current ? t('task.far', { current, total }) : current > 0 ? t('task.sofar', { count: current }) : ''
  return (
    <Stack gap={1} className={styles.progress}>
      <span role="status">{[label, message, far].filter((part) => part !== null && part !== '').join(' · ')}</span>
      <Meter label={label} done={current} total={total > current ? total : undefined} />
    </Stack>
  )
}
