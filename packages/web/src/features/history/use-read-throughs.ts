import {
  addReadCompletion,
  changeReadCompletion,
  deleteReadCompletion,
  type ReadCompletion,
  readReadHistory,
} from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/queries.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { toast } from '../../ui/state/toasts.tsx'

export type ReadDates = Pick<ReadCompletion, 'startedAt' | 'completedAt'>

const datesOf = ({ startedAt, completedAt }: ReadDates): ReadDates => ({ startedAt, completedAt })

/** Adds, changes and removes, says so, and offers to put it back. A changed entry is another one, with its own id. */
export const useReadThroughs = (bookId: string) => {
  const { t } = useTranslation('history')
  const textOf = useProblemText()
  const invalidates = [readReadHistory]
  const adding = useChange(addReadCompletion, { invalidates })
  const changing = useChange(changeReadCompletion, { invalidates })
  const removing = useChange(deleteReadCompletion, { invalidates })
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      toast({ kind: 'problem', text: textOf(error) })
    }
  }
  const insert = (dates: ReadDates): Promise<ReadCompletion> =>
    adding.mutateAsync({ params: { id: bookId }, body: datesOf(dates) })
  const drop = async ({ id }: ReadCompletion): Promise<void> => {
    await removing.mutateAsync({ params: { id: bookId, completionId: id } })
  }
  const become = ({ id }: ReadCompletion, dates: ReadDates): Promise<ReadCompletion> =>
    changing.mutateAsync({ params: { id: bookId, completionId: id }, body: datesOf(dates) })
  return {
    add: (dates: ReadDates): Promise<void> =>
      attempt(async () => {
        const made = await insert(dates)
        toast({ text: t('added'), undo: () => void attempt(() => drop(made)) })
      }),
    change: (entry: ReadCompletion, dates: ReadDates): Promise<void> =>
      attempt(async () => {
        const changed = await become(entry, dates)
        toast({
          text: t('changed'),
          undo: () =>
            void attempt(async () => {
              await become(changed, entry)
            }),
        })
      }),
    remove: (entry: ReadCompletion): Promise<void> =>
      attempt(async () => {
        await drop(entry)
        toast({
          text: t('removed'),
          undo: () =>
            void attempt(async () => {
              await insert(entry)
            }),
        })
      }),
  }
}
