import { confirmHeldChanges, type HeldChanges, readHeldChanges, rejectHeldChanges } from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/queries.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { toast } from '../../ui/state/toasts.tsx'

export type HeldRemovals = NonNullable<HeldChanges['held']>

/** The answer to held changes. Neither loses anything: who is missing keeps all, who is kept is asked about again. */
export const useHeld = (libraryId: string, { id: heldId, vanishing }: HeldRemovals) => {
  const { t } = useTranslation('scans')
  const textOf = useProblemText()
  const params = { id: libraryId, heldId }
  const onError = (error: unknown): void => toast({ kind: 'problem', text: textOf(error) })
  // The mutations themselves report it: the question is gone by then.
  const saying = (text: string) => ({ invalidates: [readHeldChanges], onDone: () => toast({ text }) })
  const confirming = useChange(confirmHeldChanges, saying(t('held.confirmed', { count: vanishing })))
  const rejecting = useChange(rejectHeldChanges, saying(t('held.rejected', { count: vanishing })))
  return {
    isBusy: confirming.isPending || rejecting.isPending,
    confirm: (): void => confirming.mutate({ params }, { onError }),
    reject: (): void => rejecting.mutate({ params }, { onError }),
  }
}
