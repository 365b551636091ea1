import { listTasks, type TaskDto } from '@carrel/api'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { paths } from '../../navigation/paths.ts'
import { Drawer } from '../../ui/dialog/drawer.tsx'
import { Stack, Text } from '../../ui/layout/layout.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { RowList } from '../../ui/row-list.tsx'
import { PageSkeleton } from '../../ui/state/skeleton.tsx'
import styles from './activity-drawer.module.css'
import { TaskRow } from './task-row.tsx'

interface ActivityDrawerProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** It shows background tasks: running, waiting, and finished recently. */
export const ActivityDrawer = ({ isOpen, onClose }: ActivityDrawerProps): ReactNode => {
  const { t } = useTranslation('tasks')
  return (
    <Drawer title={t('activity')} isOpen={isOpen} onClose={onClose}>
      {isOpen ? <Activity onLeave={onClose} /> : null}
    </Drawer>
  )
}

/** The states are shown in this order, with this many tasks each. */
const shown = [
  ['processing', 20],
  ['pending', 5],
  ['failed', 3],
  ['completed', 5],
] as const

const Activity = ({ onLeave }: { readonly onLeave: () => void }): ReactNode => {
  const { t } = useTranslation('tasks')
  // The list always has exactly four entries, because hooks must be called in a fixed order.
  const [processing, pending, failed, completed] = [
    useTasks(...shown[0]),
    useTasks(...shown[1]),
    useTasks(...shown[2]),
    useTasks(...shown[3]),
  ]
  if (!processing || !pending || !failed || !completed) return <PageSkeleton />
  const parts = [
    { status: 'processing', ...processing },
    { status: 'pending', ...pending },
    { status: 'failed', ...failed },
    { status: 'completed', ...completed },
  ] as const
  const isQuiet = processing.total + pending.total === 0
  return (
    <Stack gap={5}>
      {isQuiet ? <Text quiet>{t('quiet')}</Text> : null}
      {parts.map(({ status, total, data }) =>
        total === 0 ? null : <Part key={status} status={status} total={total} tasks={data} onLeave={onLeave} />,
      )}
      <Button component={AppLink} to={paths.adminTasks()} variant="default" onClick={onLeave}>
        {t('all')}
      </Button>
    </Stack>
  )
}

const useTasks = (status: TaskDto['status'], pageSize: number) =>
  useLater(listTasks, { query: { status, pageSize } }).data

interface PartProps {
  readonly status: (typeof shown)[number][0]
  readonly total: number
  readonly tasks: readonly TaskDto[]
  readonly onLeave: () => void
}

const Part = ({ status, total, tasks, onLeave }: PartProps): ReactNode => {
  const { t } = useTranslation('tasks')
  const title = t(`part.${status}`, { count: total })
  return (
    <Section title={title}>
      <RowList label={title}>
        {tasks.map((task) => (
          <TaskRow key={task.id} task={task} onLeave={onLeave} />
        ))}
      </RowList>
      {total > tasks.length ? (
        <AppLink to={paths.adminTasks({ status })} className={styles.more} onClick={onLeave}>
          {t('more', { count: total - tasks.length })}
        </AppLink>
      ) : null}
    </Section>
  )
}
