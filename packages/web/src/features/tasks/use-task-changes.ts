import { cancelScan, cancelTask, listTasks, retryTask, type TaskDto } from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/queries.ts'
import { useMay } from '../../session/me.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { toast } from '../../ui/state/toasts.tsx'
import { useTaskText } from './task-text.ts'

/** It stops a task, or runs it again; each is the other's undo. */
export const useTaskChanges = ({ id, taskType, libraryId }: TaskDto) => {
  const { t } = useTranslation('tasks')
  const { name } = useTaskText()
  const textOf = useProblemText()
  const invalidates = [listTasks]
  // A scan keeps a record of its own, which says that it was cancelled.
  const isScan = useMay('libraries:write') && taskType === 'scan_library' && libraryId !== null
  const onError = (error: unknown): void => toast({ kind: 'problem', text: textOf(error) })
  // The mutations themselves report it: by then the row may be gone from its list.
  const retrying = useChange(retryTask, {
    invalidates,
    onDone: () => toast({ text: t('retried', { name: name(taskType) }) }),
  })
  const retry = (): void => void retrying.mutateAsync({ params: { id } }).catch(onError)
  const onDone = (): void => toast({ text: t('cancelled', { name: name(taskType) }), undo: retry })
  const cancelling = useChange(cancelTask, { invalidates, onDone })
  const cancellingScan = useChange(cancelScan, { invalidates, onDone })
  const cancel = (): void =>
    void (
      isScan ? cancellingScan.mutateAsync({ params: { id: libraryId } }) : cancelling.mutateAsync({ params: { id } })
    ).catch(onError)
  return { cancel, retry, isBusy: cancelling.isPending || cancellingScan.isPending || retrying.isPending }
}
