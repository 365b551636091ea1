import { glanceAtLibraries, listTasks } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { Row } from '../../ui/layout/layout.tsx'
import { Meter } from '../../ui/state/meter.tsx'
import styles from './running-line.module.css'
import { useTaskText } from './task-text.ts'

/** What runs, as one line with a bar. It opens the list of all that runs and waits. */
export const RunningLine = ({ onOpen }: { readonly onOpen: () => void }): ReactNode => {
  const { i18n } = useTranslation('tasks')
  const { name } = useTaskText()
  const { data } = useLater(listTasks, { query: { status: 'processing', pageSize: 1 } }, { keepPrevious: true })
  const libraries = useLater(glanceAtLibraries, {}).data?.libraries ?? []
  const [task] = data?.data ?? []
  if (task === undefined) return null
  const { taskType, libraryId, progress } = task
  const library = libraries.find(({ id }) => id === libraryId)?.name
  const words = [name(taskType), library].filter((word) => word !== undefined).join(' · ')
  const isKnown = progress !== null && progress.total > 0
  const percent = new Intl.NumberFormat(i18n.resolvedLanguage, { style: 'percent' })
  return (
    <button type="button" className={styles.line} onClick={onOpen}>
      <Row as="span" gap={2} justify="between" className={styles.words}>
        <span className={styles.name}>{words}</span>
        {isKnown ? <span>{percent.format(Math.min(1, progress.current / progress.total))}</span> : null}
      </Row>
      <Meter label={words} done={progress?.current ?? 0} total={progress?.total} />
    </button>
  )
}
