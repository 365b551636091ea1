import { acceptMetadataMatch, listMetadataMatches, type MetadataMatch } from '@carrel/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/queries.ts'
import { toast } from '../../ui/state/toasts.tsx'
import { useFailureText } from './failure.tsx'
import { matchables } from './matchable.ts'
import { useRefuse } from './use-refuse.ts'
import { useUndo } from './use-undo.ts'

/** The answers to what waits in the queue. */
export const useReview = ({ id, entity, entityId, title }: MetadataMatch, plugin: string) => {
  const { t } = useTranslation('matching')
  const of = matchables[entity]
  const failureText = useFailureText()
  const undo = useUndo(of)
  const { refuse, isRefusing } = useRefuse()
  const [accepting, setAccepting] = useState<string>()
  const change = useChange(acceptMetadataMatch, { invalidates: [...of.old, listMetadataMatches] })
  // The code awaits the promise: the card is gone by then, and its undo still has to work.
  const accept = async (externalId: string): Promise<void> => {
    setAccepting(externalId)
    try {
      const { historyId, appliedFields } = await change.mutateAsync({ params: { id }, body: { externalId } })
      toast({
        text: t('queue.accepted', { title, count: appliedFields.length }),
        ...(historyId !== null && { undo: () => void undo(entityId, historyId) }),
      })
    } catch (error) {
      toast({ kind: 'problem', text: failureText(error, plugin) })
    } finally {
      setAccepting(undefined)
    }
  }
  return {
    accepting,
    isBusy: accepting !== undefined || isRefusing,
    accept: (externalId: string): void => void accept(externalId),
    refuse: (externalId?: string): void => void refuse(id, externalId),
  }
}
