import { autoMatchLibrary, listMetadataMatches, listTasks, type PluginAction, type TaskDto } from '@carrel/api'
import { Button, Checkbox, NativeSelect } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { invalidate, useChange, useLater } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { useMay } from '../../session/me.ts'
import { paths } from '../../navigation/paths.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { useTimeText } from '../../text/time-text.ts'
import { Row, Text } from '../../ui/layout/layout.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { toast } from '../../ui/state/toasts.tsx'
import styles from './library.module.css'
import { TaskLine } from './task-line.tsx'
import { isGoingOn, useLatestTask } from './use-latest-task.ts'

interface MatchNowProps {
  readonly libraryId: string
  readonly providers: readonly PluginAction[]
}

/** It asks a plugin about all that it has not been asked about, and says how that goes. */
export const MatchNow = ({ libraryId, providers }: MatchNowProps): ReactNode => {
  const { t } = useTranslation('matching')
  const textOf = useProblemText()
  const [chosen, setChosen] = useState(providers[0]?.pluginId ?? '')
  const [again, setAgain] = useState(false)
  const pluginId = providers.find((each) => each.pluginId === chosen)?.pluginId ?? providers[0]?.pluginId ?? ''
  const task = useLatestTask(libraryId, 'auto_match')
  const start = useChange(autoMatchLibrary, { invalidates: [listTasks] })
  const isRunning = isGoingOn(task)
  useEffect(() => {
    if (!isRunning) void invalidate(listMetadataMatches)
  }, [isRunning])
  const match = (): void =>
    start.mutate(
      { params: { id: libraryId }, body: { pluginId, again } },
      {
        onSuccess: ({ alreadyRunning }) => toast({ text: alreadyRunning ? t('now.already') : t('now.started') }),
        onError: (error) => toast({ kind: 'problem', text: textOf(error) }),
      },
    )
  return (
    <Section title={t('now.title')} text={t('now.text')}>
      <Row gap={4} rowGap={3} align="end" wrap className={styles.now}>
        {providers.length < 2 ? null : (
          <NativeSelect
            label={t('find.plugin')}
            value={pluginId}
            data={providers.map((each) => ({ value: each.pluginId, label: each.pluginDisplayName }))}
            onChange={({ currentTarget }) => setChosen(currentTarget.value)}
          />
        )}
        <Checkbox
          className={styles.again ?? ''}
          label={t('now.again')}
          checked={again}
          onChange={({ currentTarget }) => setAgain(currentTarget.checked)}
        />
        <Button loading={start.isPending} disabled={isRunning} onClick={match}>
          {t('now.start')}
        </Button>
      </Row>
      {task === undefined ? null : (
        <>
          <TaskLine task={task} label={t('now.running')} />
          <Figures task={task} />
        </>
      )}
      <Waiting libraryId={libraryId} of="series" />
      <Waiting libraryId={libraryId} of="book" />
    </Section>
  )
}

/** It shows the result of the last run. */
const Figures = ({ task: { status, result, completedAt } }: { readonly task: TaskDto }): ReactNode => {
  const { t } = useTranslation('matching')
  const { ago } = useTimeText()
  if (status !== 'completed' || typeof result !== 'object' || result === null) return null
  const figures = result as Readonly<Record<string, unknown>>
  const number = (name: string): number => (typeof figures[name] === 'number' ? figures[name] : 0)
  const stopped = figures['stopped']
  const passedOver = number('passedOver')
  const sentences = [
    t('now.matched', { count: number('matched') }),
    t('now.uncertain', { count: number('uncertain') }),
    t('now.nothing', { count: number('nothing') }),
    ...(passedOver > 0 ? [t('now.passedOver', { count: passedOver })] : []),
  ]
  return (
    <Text quiet role="status">
      {completedAt === null ? '' : `${t('now.last', { when: ago(completedAt) })} `}
      {sentences.join(' ')}
      {typeof stopped === 'string' ? ` ${t('now.stopped', { why: stopped })}` : ''}
    </Text>
  )
}

interface WaitingProps extends Pick<MatchNowProps, 'libraryId'> {
  readonly of: 'series' | 'book'
}

const Waiting = ({ libraryId, of }: WaitingProps): ReactNode => {
  const { t } = useTranslation('matching')
  const mayReview = useMay('series:write')
  const input = { query: { entity: of, libraryId, pageSize: 1 } }
  const { data } = useLater(listMetadataMatches, input, { enabled: mayReview })
  if (data === undefined || data.total === 0) return null
  return (
    <Text quiet>
      <AppLink to={paths.matches({ library: libraryId, ...(of === 'book' && { of }) })}>
        {t(`now.waiting.${of}`, { count: data.total })}
      </AppLink>
    </Text>
  )
}
