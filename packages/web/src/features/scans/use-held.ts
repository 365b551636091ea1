import { confirmHeldChanges, readHeldChanges, rejectHeldChanges } from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/queries.ts'
import { useProblemText } from '../../problem-text.ts'
import { toast } from '../../ui/toasts.tsx'
import type { Held } from './held-card.tsx'

/** The answer to held changes. Neither loses anything: who is missing keeps all, who is kept is asked about again. */
export const useHeld = (libraryId: string, { id: heldId, vanishing }: Held) => {
  const { t } = useTranslation('scans')
  const textOf = useProblemText()
  const confirming = useChange(confirmHeldChanges, { invalidates: [readHeldChanges] })
  const rejecting = useChange(rejectHeldChanges, { invalidates: [readHeldChanges] })
  const params = { id: libraryId, heldId }
  const onError = (error: unknown): void => toast({ kind: 'problem', text: textOf(error) })
  const say = (text: string) => ({ onSuccess: () => toast({ text }), onError })
  return {
    isBusy: confirming.isPending || rejecting.isPending,
    confirm: (): void => confirming.mutate({ params }, say(t('held.confirmed', { count: vanishing }))),
    reject: (): void => rejecting.mutate({ params }, say(t('held.rejected', { count: vanishing }))),
  }
}
