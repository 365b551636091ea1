import { listTasks, readTaskStats } from '@carrel/api'
import { NativeSelect } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater, useRead } from '../../api/queries.ts'
import { useMay } from '../../session/me.ts'
import { Columns, Stack } from '../../ui/layout/layout.tsx'
import { EmptyState, Notice } from '../../ui/state/state.tsx'
import { Pager } from '../../ui/pager.tsx'
import { StartMenu } from './start-menu.tsx'
import { taskQuery } from './task-query.ts'
import { TaskLine } from './task-row.tsx'
import { useTaskText } from './task-text.ts'
import { TasksFrame } from './tasks-frame.tsx'
import styles from './tasks-page.module.css'
import { ShowAll, ToAdministration } from '../../navigation/way-out.tsx'

const route = getRouteApi('/signed-in/framed/administered/admin/tasks')

const statuses = ['processing', 'pending', 'failed', 'completed', 'cancelled'] as const

/** The page lists all tasks, the newest first. */
export const TasksPage = (): ReactNode => {
  const { t } = useTranslation('tasks')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { page = 1, ...filters } = search
  const isFiltered = Object.values(filters).some((each) => each !== undefined)
  const { stale } = useRead(readTaskStats, {})
  const { data } = useLater(listTasks, { query: taskQuery(search) }, { keepPrevious: true })
  return (
    <TasksFrame actions={useMay('tasks:write') ? <StartMenu /> : null}>
      {stale === 0 ? null : <Notice kind="warning">{t('stale', { count: stale })}</Notice>}
      <Filters />
      {data?.total === 0 ? (
        <EmptyState
          icon="check"
          title={t('none')}
          text={t('noneText')}
          action={isFiltered ? <ShowAll onClick={() => void navigate({ search: {} })} /> : <ToAdministration />}
        />
      ) : null}
      {data === undefined || data.total === 0 ? null : (
        <Stack as="ul" box aria-label={t('title')}>
          {data.data.map((task) => (
            <TaskLine key={task.id} task={task} />
          ))}
        </Stack>
      )}
      <Pager
        label={t('title')}
        page={page}
        pages={data?.totalPages ?? 1}
        onGo={(to) => void navigate({ search: { ...search, page: to === 1 ? undefined : to } })}
      />
    </TasksFrame>
  )
}

const Filters = (): ReactNode => {
  const { t } = useTranslation('tasks')
  const { name } = useTaskText()
  const { status, type } = route.useSearch()
  const navigate = route.useNavigate()
  const { byType } = useRead(readTaskStats, {})
  const types = Object.keys(byType)
    .map((value) => ({ value, label: name(value) }))
    .toSorted((one, other) => one.label.localeCompare(other.label))
  return (
    <Columns gap={3} className={styles.filters}>
      <NativeSelect
        label={t('filter.status')}
        value={status ?? ''}
        data={[
          { value: '', label: t('filter.anyStatus') },
          ...statuses.map((value) => ({ value, label: t(`status.${value}`) })),
        ]}
        onChange={({ currentTarget: { value } }) =>
          void navigate({
            // One may be chosen before the address says the other.
            search: (now) => ({ type: now.type, status: statuses.find((each) => each === value) }),
          })
        }
      />
      <NativeSelect
        label={t('filter.type')}
        value={type ?? ''}
        data={[{ value: '', label: t('filter.anyType') }, ...types]}
        onChange={({ currentTarget: { value } }) =>
          void navigate({ search: (now) => ({ status: now.status, type: value === '' ? undefined : value }) })
        }
      />
    </Columns>
  )
}
