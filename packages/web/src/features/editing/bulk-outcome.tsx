import { readBulkEdit, undoBulkEdit } from '@carrel/api'
import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange, useLater } from '../../api/queries.ts'
import { useMay } from '../../session/me.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { Row, Stack } from '../../ui/layout/layout.tsx'
import { Notice } from '../../ui/state/state.tsx'
import styles from './bulk-form.module.css'

interface BulkOutcomeProps {
  readonly id: string
  readonly closing?: ReactNode
}

const everyMs = 2000

/** It shows the progress and then the result of a bulk edit, which can be undone. */
export const BulkOutcome = ({ id, closing }: BulkOutcomeProps): ReactNode => {
  const { t } = useTranslation('editing')
  const textOf = useProblemText()
  // Events tell of tasks only to those who may read them; others ask until it is done.
  const isTold = useMay('tasks:read')
  const [isDone, setDone] = useState(false)
  const { data } = useLater(readBulkEdit, { params: { id } }, isTold || isDone ? {} : { everyMs })
  const undo = useChange(undoBulkEdit, { invalidates: [readBulkEdit] })
  if (data === undefined) return <progress className={styles.progress} aria-label={t('bulk.working')} />
  const { status, matched, changed, unchanged, skippedLocked, failed, undone, conflicts } = data
  const isWorking = status === 'pending' || status === 'processing' || status === 'undoing'
  if (isDone === isWorking) setDone(!isWorking)
  return (
    <Stack gap={4} className={styles.form}>
      {isWorking ? (
        <>
          <p role="status">{t(status === 'undoing' ? 'bulk.undoing' : 'bulk.working')}</p>
          <progress
            className={styles.progress}
            aria-label={t('bulk.working')}
            max={Math.max(1, matched)}
            value={status === 'undoing' ? undone + conflicts : changed + unchanged + failed}
          />
        </>
      ) : status === 'undone' ? (
        <Notice kind="info">
          {t('bulk.undone', { count: undone })}
          {conflicts > 0 ? ` ${t('bulk.stayed', { count: conflicts })}` : ''}
        </Notice>
      ) : (
        <Notice kind={failed > 0 || status !== 'completed' ? 'warning' : 'info'}>
          {t('bulk.done', { count: changed })}
          {skippedLocked > 0 ? ` ${t('bulk.locked', { count: skippedLocked })}` : ''}
          {failed > 0 ? ` ${t('bulk.failed', { count: failed })}` : ''}
        </Notice>
      )}
      {undo.error ? <Notice kind="danger">{textOf(undo.error)}</Notice> : null}
      <Row gap={2} align="stretch" justify="end" wrap touch>
        {isWorking || status === 'undone' || changed === 0 ? null : (
          <Button variant="default" loading={undo.isPending} onClick={() => undo.mutate({ params: { id } })}>
            {t('bulk.undo')}
          </Button>
        )}
        {closing}
      </Row>
    </Stack>
  )
}
