import { type MatchedField, type MetadataApplyResponse, listMetadataMatches, type PluginAction } from '@carrel/api'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiProblem } from '../../api/call.ts'
import { useChange } from '../../api/queries.ts'
import { Icon } from '../../ui/icon.tsx'
import { Row } from '../../ui/layout/layout.tsx'
import { PageSkeleton } from '../../ui/state/skeleton.tsx'
import { Notice } from '../../ui/state/state.tsx'
import { toast } from '../../ui/state/toasts.tsx'
import { Applied, type Outcome } from './applied.tsx'
import { forgetResults, type Previewed, previewing } from './asking.ts'
import { AskFailed } from './failure.tsx'
import { FieldList } from './field-list.tsx'
import type { Matchable } from './matchable.ts'
import styles from './preview.module.css'
import { useUndo } from './use-undo.ts'
import { useRefuse } from './use-refuse.ts'

interface PreviewProps {
  readonly of: Matchable
  readonly id: string
  readonly plugin: PluginAction
  readonly externalId: string
  /** It is the entry of the queue that is shown here. */
  readonly matchId: string | undefined
  readonly onBack: () => void
}

/**
 * It shows what one candidate would change, field by field, before anything is written; afterwards it shows what was.
 */
export const Preview = (props: PreviewProps): ReactNode => {
  const { t } = useTranslation('matching')
  const { of, id, plugin, externalId, matchId, onBack } = props
  const previewQuery = useQuery(previewing(of, id, { pluginId: plugin.pluginId, externalId }))
  const [applied, setApplied] = useState<Outcome>()
  const undoIt = useUndo(of)
  const { data: preview, error, isPending, isFetching } = previewQuery
  const reload = (): void => {
    setApplied(undefined)
    void previewQuery.refetch()
  }
  const undo = async (historyId: string): Promise<void> => {
    await undoIt(id, historyId)
    reload()
  }
  const done = (reply: MetadataApplyResponse, preview: Previewed): void => {
    setApplied({ applied: reply, preview })
    const { historyId, appliedFields } = reply
    toast({
      text: t('applied.toast', { count: appliedFields.length }),
      ...(historyId !== null && { undo: () => void undo(historyId) }),
    })
  }
  if (applied !== undefined) return <Applied {...props} outcome={applied} />
  return (
    <>
      <div>
        <Button variant="default" leftSection={<Icon name="back" size="small" />} onClick={onBack}>
          {matchId === undefined ? t('preview.back') : t('preview.toQueue')}
        </Button>
      </div>
      {isPending || (preview === undefined && isFetching) ? <PageSkeleton /> : null}
      {error === null ? null : (
        <AskFailed error={error} plugin={plugin} isTrying={isFetching} onRetry={() => void previewQuery.refetch()} />
      )}
      {preview === undefined || error !== null ? null : (
        <Fields
          {...props}
          key={previewQuery.dataUpdatedAt}
          preview={preview}
          onDone={(reply) => done(reply, preview)}
          onOutdated={reload}
        />
      )}
    </>
  )
}

interface FieldsProps extends PreviewProps {
  readonly preview: Previewed
  readonly onDone: (reply: MetadataApplyResponse) => void
  readonly onOutdated: () => void
}

const Fields = ({ preview, onDone, onOutdated, ...props }: FieldsProps): ReactNode => {
  const { t } = useTranslation('matching')
  const { of, id, plugin, externalId, matchId, onBack } = props
  const [left, setLeft] = useState<ReadonlySet<MatchedField>>(new Set())
  const apply = useChange(of.apply, { invalidates: [...of.old, listMetadataMatches], onDone: forgetResults })
  const writable = preview.fields.filter(({ status }) => status === 'will_apply').map(({ field }) => field)
  const chosen = writable.filter((field) => !left.has(field))
  const { etag } = preview
  const send = (): void => {
    const body = { pluginId: plugin.pluginId, externalId, fields: chosen }
    apply.mutate(
      { params: { id }, body, ifMatch: etag },
      {
        onSuccess: onDone,
        onError: (error) => {
          if (!isOutdated(error)) return
          toast({ kind: 'problem', text: t('preview.outdated') })
          onOutdated()
        },
      },
    )
  }
  return (
    <>
      <FieldList of={of} id={id} plugin={plugin} preview={preview} left={left} onLeave={setLeft} />
      {apply.error === null || isOutdated(apply.error) ? null : <AskFailed error={apply.error} plugin={plugin} />}
      <Row gap={2} wrap touch="wide" className={styles.bar} role="group" aria-label={t('preview.bar')}>
        <span className={styles.sum} role="status">
          {writable.length === 0
            ? t('preview.nothing')
            : t('preview.sum', { chosen: chosen.length, count: writable.length })}
        </span>
        {matchId === undefined ? null : (
          <NotThisOne matchId={matchId} externalId={externalId} onDone={onBack} isBusy={apply.isPending} />
        )}
        <Button loading={apply.isPending} disabled={writable.length > 0 && chosen.length === 0} onClick={send}>
          {writable.length === 0 ? t('preview.remember') : t('preview.apply', { count: chosen.length })}
        </Button>
      </Row>
      {writable.length === 0 ? <Notice kind="info">{t('preview.rememberText')}</Notice> : null}
    </>
  )
}

const isOutdated = (error: unknown): boolean => error instanceof ApiProblem && error.code === 'precondition_failed'

interface NotThisOneProps {
  readonly matchId: string
  readonly externalId: string
  readonly isBusy: boolean
  readonly onDone: () => void
}

const NotThisOne = ({ matchId, externalId, isBusy, onDone }: NotThisOneProps): ReactNode => {
  const { t } = useTranslation('matching')
  const { refuse, isRefusing } = useRefuse()
  return (
    <Button
      variant="default"
      disabled={isBusy}
      loading={isRefusing}
      onClick={() => void refuse(matchId, externalId).then((isDone) => (isDone ? onDone() : undefined))}
    >
      {t('notThisOne')}
    </Button>
  )
}
