import {
  createLibraryJob,
  type LibraryJob,
  listLibraryJobs,
  listTasks,
  removeLibraryJob,
  runLibraryJob,
  updateLibraryJob,
} from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/queries.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { toast } from '../../ui/state/toasts.tsx'

const invalidates = [listLibraryJobs]

/** A deleted job comes back as a new one with the same settings. */
export const useJobChanges = (job: LibraryJob) => {
  const { t } = useTranslation('matching')
  const textOf = useProblemText()
  const { id: jobId, libraryId, pluginId, name, cronSchedule, timezone, enabled, config } = job
  const params = { id: libraryId, jobId }
  const running = useChange(runLibraryJob, { invalidates: [listTasks] })
  const changing = useChange(updateLibraryJob, { invalidates })
  const removing = useChange(removeLibraryJob, { invalidates })
  const making = useChange(createLibraryJob, { invalidates })
  const failed = (error: unknown): void => toast({ kind: 'problem', text: textOf(error) })

  const switchTo = async (isOn: boolean): Promise<void> => {
    await changing.mutateAsync({ params, body: { enabled: isOn } })
    const undo = (): void => void switchTo(!isOn).catch(failed)
    toast({ text: isOn ? t('jobs.switchedOn', { name }) : t('jobs.switchedOff', { name }), undo })
  }
  const remove = async (): Promise<void> => {
    await removing.mutateAsync({ params })
    const body = { pluginId, name, cronSchedule, timezone, enabled, config }
    const undo = (): void => void making.mutateAsync({ params: { id: libraryId }, body }).catch(failed)
    toast({ text: t('jobs.removed', { name }), undo })
  }
  const run = async (): Promise<void> => {
    await running.mutateAsync({ params })
    toast({ text: t('jobs.started', { name }) })
  }
  return {
    isBusy: running.isPending || changing.isPending || removing.isPending,
    run: (): void => void run().catch(failed),
    remove: (): void => void remove().catch(failed),
    switchTo: (isOn: boolean): void => void switchTo(isOn).catch(failed),
  }
}
