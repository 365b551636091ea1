import { listLibraries, type TaskDto } from '@carrel/api'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { useMay } from '../../session/me.ts'
import { paths } from '../../navigation/paths.ts'
import { Row } from '../../ui/layout/layout.tsx'
import { Mark } from '../../ui/state/mark.tsx'
import { Meter } from '../../ui/state/meter.tsx'
import { ServerWords } from '../../ui/state/server-words.tsx'
import { ListRow } from '../../ui/row-list.tsx'
import styles from './task-row.module.css'
import { useTaskText } from './task-text.ts'
import { useTaskChanges } from './use-task-changes.ts'

interface TaskRowProps {
  readonly task: TaskDto
  /** When somebody follows a link out of what the row stands in. */
  readonly onLeave?: () => void
}

const markOf = {
  pending: 'plain',
  processing: 'busy',
  completed: 'good',
  failed: 'danger',
  cancelled: 'plain',
} as const

/** One task: what, on what, why, how far, and what one can do about it. */
export const TaskRow = ({ task, onLeave }: TaskRowProps): ReactNode => {
  const { t } = useTranslation('tasks')
  const { name, why, standing } = useTaskText()
  const { status, taskType, progress, lastError } = task
  const hasFailed = status === 'failed' || (status === 'pending' && task.attempts > 0)
  return (
    <ListRow
      title={name(taskType)}
      mark={<Mark kind={markOf[status]}>{t(`status.${status}`)}</Mark>}
      text={
        <>
          <Subject task={task} onLeave={onLeave} />
          <span className={styles.why}>{why(taskType)}</span>
          <span className={styles.standing} data-status={status}>
            {standing(task)}
          </span>
        </>
      }
      actions={<Actions task={task} />}
    >
      {status === 'processing' ? (
        <Meter label={name(taskType)} done={progress?.current ?? 0} total={progress?.total} />
      ) : null}
      {hasFailed && lastError !== null ? <ServerWords text={lastError} /> : null}
    </ListRow>
  )
}

/** The same in one line, where many of them are looked through. */
export const TaskLine = ({ task }: Pick<TaskRowProps, 'task'>): ReactNode => {
  const { t } = useTranslation('tasks')
  const { name, why, standing } = useTaskText()
  const { status, taskType, libraryId, seriesId, bookId } = task
  return (
    <Row as="li" gap={3} rowGap={1} wrap className={styles.line}>
      <span className={styles.name}>{name(taskType)}</span>
      <Mark kind={markOf[status]}>{t(`status.${status}`)}</Mark>
      {(libraryId ?? seriesId ?? bookId) === null ? null : (
        <Row as="span" gap={2}>
          <Subject task={task} onLeave={undefined} />
        </Row>
      )}
      <span className={styles.reason} title={why(taskType)}>
        {why(taskType)}
      </span>
      <span className={styles.standing} data-status={status}>
        {standing(task)}
      </span>
      <Actions task={task} />
      <Below task={task} />
    </Row>
  )
}

/** How far it is, and what the server said of a failure. */
const Below = ({ task }: Pick<TaskRowProps, 'task'>): ReactNode => {
  const { name } = useTaskText()
  const { status, taskType, progress, lastError, attempts } = task
  const hasFailed = status === 'failed' || (status === 'pending' && attempts > 0)
  if (status !== 'processing' && !(hasFailed && lastError !== null)) return null
  return (
    <div className={styles.below}>
      {status === 'processing' ? (
        <Meter label={name(taskType)} done={progress?.current ?? 0} total={progress?.total} />
      ) : null}
      {hasFailed && lastError !== null ? <ServerWords text={lastError} /> : null}
    </div>
  )
}

/** The library, series or book it is about. */
const Subject = ({
  task,
  onLeave,
}: {
  readonly task: TaskDto
  readonly onLeave: (() => void) | undefined
}): ReactNode => {
  const { t } = useTranslation('tasks')
  const { libraryId, seriesId, bookId } = task
  const { data } = useLater(listLibraries, { query: { pageSize: 500 } }, { enabled: libraryId !== null })
  const mayManage = useMay('libraries:write')
  const library = data?.data.find(({ id }) => id === libraryId)
  const links = [
    library && { to: mayManage ? paths.adminLibrary(library.id) : paths.library(library.id), words: library.name },
    seriesId !== null && { to: paths.series(seriesId), words: t('series') },
    bookId !== null && { to: paths.book(bookId), words: t('book') },
  ].filter((link) => typeof link === 'object')
  return links.map(({ to, words }) => (
    <AppLink key={to} to={to} className={styles.subject} onClick={onLeave}>
      {words}
    </AppLink>
  ))
}

const Actions = ({ task }: { readonly task: TaskDto }): ReactNode => {
  const { t } = useTranslation('tasks')
  const { cancel, retry, isBusy } = useTaskChanges(task)
  const { status } = task
  if (!useMay('tasks:write') || status === 'completed') return null
  const isLive = status === 'pending' || status === 'processing'
  return (
    <Button variant="default" size="compact-md" loading={isBusy} onClick={isLive ? cancel : retry}>
      {t(isLive ? 'cancel' : 'retry')}
    </Button>
  )
}
