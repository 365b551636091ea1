import { cancelScan, type LibraryDto, listScans, listTasks, readScanStatus, scanLibrary } from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { useChange } from '../api/queries.ts'
import { useProblemText } from '../text/problem-text.ts'
import { toast } from '../ui/state/toasts.tsx'

/** It starts a scan of a library, or stops it. */
export const useScan = ({ id, name }: Pick<LibraryDto, 'id' | 'name'>) => {
  const { t } = useTranslation()
  const textOf = useProblemText()
  const invalidates = [readScanStatus, listScans, listTasks]
  const onError = (error: unknown): void => toast({ kind: 'problem', text: textOf(error) })
  // The mutation itself reports it: another button has replaced this one by then.
  const cancelling = useChange(cancelScan, {
    invalidates,
    onDone: () => toast({ text: t('scan.cancelled', { name }) }),
  })
  const cancel = (): void => cancelling.mutate({ params: { id } }, { onError })
  const starting = useChange(scanLibrary, {
    invalidates,
    onDone: ({ alreadyRunning }) =>
      alreadyRunning
        ? toast({ text: t('scan.alreadyRunning', { name }) })
        : toast({ text: t('scan.started', { name }), undo: cancel }),
  })
  const start = (mode: 'changes' | 'full', paths: readonly string[] = []): void =>
    starting.mutate({ params: { id }, body: { mode, paths: [...paths] } }, { onError })
  return { start, cancel, isBusy: starting.isPending || cancelling.isPending }
}
