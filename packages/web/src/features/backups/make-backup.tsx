import { listBackups, listTasks, startBackup, type TaskDto } from '@carrel/api'
import { Button } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { invalidate, useChange, useLater } from '../../api/queries.ts'
import { useMay } from '../../session/me.ts'
import { useFailureSentence, useProblemText } from '../../text/problem-text.ts'
import { useTimeText } from '../../text/time-text.ts'
import { Icon } from '../../ui/icon.tsx'
import { Row, Stack, Text } from '../../ui/layout/layout.tsx'
import { Meter } from '../../ui/state/meter.tsx'
import { ServerWords } from '../../ui/state/server-words.tsx'
import { Notice } from '../../ui/state/state.tsx'
import { toast } from '../../ui/state/toasts.tsx'
import styles from './backups.module.css'
import { latestInput } from './inputs.ts'

/** It makes one now, and shows how far it is; also one that the schedule has begun. */
export const MakeBackup = (): ReactNode => {
  const { t } = useTranslation('backups')
  const textOf = useProblemText()
  const task = useLatestTask()
  const start = useChange(startBackup, { invalidates: [listTasks] })
  const isRunning = task?.status === 'pending' || task?.status === 'processing'
  const make = (): void =>
    start.mutate(
      {},
      {
        onSuccess: ({ alreadyRunning }) => toast({ text: t(alreadyRunning ? 'alreadyRunning' : 'started') }),
        onError: (error) => toast({ kind: 'problem', text: textOf(error) }),
      },
    )
  return (
    <Stack as="section" gap={3} box pad={4} aria-label={t('make')}>
      <Row gap={3} justify="between" wrap touch>
        <span className={styles.makeText}>{t('makeText')}</span>
        <Button
          leftSection={<Icon name="plus" size="small" />}
          loading={start.isPending}
          disabled={isRunning}
          onClick={make}
        >
          {t('make')}
        </Button>
      </Row>
      {task === undefined ? null : <Progress task={task} />}
    </Stack>
  )
}

/** The event stream keeps it up to date; when one has ended there is another file, or one less. */
const useLatestTask = (): TaskDto | undefined => {
  const mayReadTasks = useMay('tasks:read')
  const { data } = useLater(listTasks, latestInput, { enabled: mayReadTasks })
  const task = data?.data[0]
  const ended = task?.completedAt ?? null
  useEffect(() => {
    if (ended !== null) void invalidate(listBackups)
  }, [ended])
  return task
}

const steps = {
  copying: 'copying',
  packing: 'packing',
  checking: 'checking',
  unpacking: 'checking',
  'reading rows': 'checking',
  'writing rows': 'packing',
  'restoring a copy': 'proving',
} as const

const stepOf = (message: string | null | undefined) =>
  Object.entries(steps).find(([step]) => step === message)?.[1] ?? 'working'

const Progress = ({ task }: { readonly task: TaskDto }): ReactNode => {
  const { t } = useTranslation('backups')
  const sentence = useFailureSentence()
  const { ago } = useTimeText()
  const { status, progress, lastError, lastFailure, completedAt } = task
  if (status === 'failed') {
    return (
      <Notice kind="danger">
        {t('failed', { when: completedAt === null ? '' : ago(completedAt) })}{' '}
        {lastFailure === null ? null : sentence(lastFailure)}
        {lastError === null ? null : <ServerWords text={lastError} />}
      </Notice>
    )
  }
  if (status === 'pending') return <Text>{t('waiting')}</Text>
  if (status !== 'processing') return null
  const text = t(`step.${stepOf(progress?.message)}`)
  return (
    <Stack gap={1}>
      <span role="status">{text}</span>
      <Meter label={text} done={progress?.current ?? 0} total={progress?.total} />
    </Stack>
  )
}
