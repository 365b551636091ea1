import { listMetadataMatches } from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/queries.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { toast } from '../../ui/state/toasts.tsx'
import type { Matchable } from './matchable.ts'

/** It undoes what a match has written; what was changed again since stays, and a message says so. */
export const useUndo = (of: Matchable) => {
  const { t } = useTranslation('matching')
  const textOf = useProblemText()
  const change = useChange(of.undo, { invalidates: [...of.old, listMetadataMatches] })
  return async (id: string, historyId: string): Promise<void> => {
    try {
      const { conflicts } = await change.mutateAsync({ params: { id }, body: { historyId } })
      if (conflicts.length === 0) toast({ text: t('undone') })
      else toast({ kind: 'problem', text: t('undoneExcept', { count: conflicts.length }) })
    } catch (error) {
      toast({ kind: 'problem', text: textOf(error) })
    }
  }
}
