import type { LibraryJob, PluginAction } from '@carrel/api'
import { Button, Switch } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Mark } from '../../ui/state/mark.tsx'
import { ListRow } from '../../ui/row-list.tsx'
import { useJobText } from './job-text.ts'
import styles from './library.module.css'
import { useJobChanges } from './use-job-changes.ts'

interface JobRowProps {
  readonly job: LibraryJob
  readonly providers: readonly PluginAction[]
  readonly onEdit: () => void
}

/** One job: what is asked when, how it went last, and what can be done about it. */
export const JobRow = ({ job, providers, onEdit }: JobRowProps): ReactNode => {
  const { t } = useTranslation('matching')
  const text = useJobText()
  const { run, remove, switchTo, isBusy } = useJobChanges(job)
  const { name, enabled, lastRunStatus } = job
  return (
    <ListRow
      icon="refresh"
      title={name}
      mark={
        lastRunStatus === 'failed' ? (
          <Mark kind="warning">{t('jobs.failed')}</Mark>
        ) : enabled ? undefined : (
          <Mark kind="plain">{t('jobs.off')}</Mark>
        )
      }
      text={
        <>
          {text.when(job)} · {text.who(job, providers)}
          <br />
          {text.what(job.config)}
          <br />
          {text.last(job)}
        </>
      }
      actions={
        <>
          <Switch
            className={styles.toggle ?? ''}
            label={t('jobs.on')}
            aria-label={t('jobs.onOf', { name })}
            checked={enabled}
            disabled={isBusy}
            onChange={({ currentTarget }) => switchTo(currentTarget.checked)}
          />
          <Button variant="default" disabled={isBusy} aria-label={t('jobs.runOf', { name })} onClick={run}>
            {t('jobs.run')}
          </Button>
          <Button variant="default" aria-label={t('jobs.editOf', { name })} onClick={onEdit}>
            {t('jobs.edit')}
          </Button>
          <Button variant="default" disabled={isBusy} aria-label={t('jobs.removeOf', { name })} onClick={remove}>
            {t('jobs.remove')}
          </Button>
        </>
      }
    />
  )
}
