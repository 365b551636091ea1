import { type BookError, countBookErrors, listBookErrors, retryBookError, retryBookErrors } from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/queries.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { toast } from '../../ui/state/toasts.tsx'

/** It has books read again: a file that was repaired is fine after that, a file that was not comes back to the list. */
export const useRetry = () => {
  const { t } = useTranslation('book-errors')
  const textOf = useProblemText()
  const invalidates = [countBookErrors, listBookErrors]
  const onError = (error: unknown): void => toast({ kind: 'problem', text: textOf(error) })
  // The mutation itself reports it: the row is gone by then.
  const one = useChange(retryBookError, { invalidates, onDone: () => toast({ text: t('retriedOne') }) })
  const all = useChange(retryBookErrors, {
    invalidates,
    onDone: ({ retried }) => toast({ text: t('retried', { count: retried }) }),
  })
  return {
    isBusy: one.isPending || all.isPending,
    retryOne: (bookId: string): void => one.mutate({ params: { bookId } }, { onError }),
    retryAll: (code: BookError['code']): void => all.mutate({ body: { code } }, { onError }),
  }
}
