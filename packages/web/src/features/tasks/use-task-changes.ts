import { cancelScan, cancelTask, listTasks, retryTask, type TaskDto } from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/queries.ts'
import { useMay } from '../../me.ts'
import { useProblemText } from '../../problem-text.ts'
import { toast } from '../../ui/toasts.tsx'
import { useTaskText } from './task-text.ts'

/** Stops a task, or runs it again; each is the other's undo. */
export const useTaskChanges = ({ id, taskType, libraryId }: TaskDto) => {
  const { t } = useTranslation('tasks')
  const { name } = useTaskText()
  const textOf = useProblemText()
  const invalidates = [listTasks]
  const cancelling = useChange(cancelTask, { invalidates })
  const cancellingScan = useChange(cancelScan, { invalidates })
  const retrying = useChange(retryTask, { invalidates })
  // A scan keeps a record of its own, which says that it was cancelled.
  const isScan = useMay('libraries:write') && taskType === 'scan_library' && libraryId !== null
  const onError = (error: unknown): void => toast({ kind: 'problem', text: textOf(error) })
  const retry = (): void =>
    retrying.mutate(
      { params: { id } },
      { onSuccess: () => toast({ text: t('retried', { name: name(taskType) }) }), onError },
    )
  const said = { onSuccess: () => toast({ text: t('cancelled', { name: name(taskType) }), undo: retry }), onError }
  const cancel = (): void =>
    isScan
      ? cancellingScan.mutate({ params: { id: libraryId } }, said)
      : cancelling.mutate({ params: { id } }, said)
  return { cancel, retry, isBusy: cancelling.isPending || cancellingScan.isPending || retrying.isPending }
}
