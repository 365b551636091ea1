import { listMetadataMatches, type MetadataMatch, refuseMetadataMatch } from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/queries.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { toast } from '../../ui/state/toasts.tsx'
import { forgetResults } from './asking.ts'

/** One candidate, or all of them: this is not it, and it is not proposed again. */
export const useRefuse = () => {
  const { t } = useTranslation('matching')
  const textOf = useProblemText()
  const change = useChange(refuseMetadataMatch, { invalidates: [listMetadataMatches], onDone: forgetResults })
  const refuse = async (id: string, externalId?: string): Promise<MetadataMatch | undefined> => {
    try {
      const match = await change.mutateAsync({ params: { id }, body: externalId === undefined ? {} : { externalId } })
      toast({ text: match.state === 'uncertain' ? t('refused.one') : t('refused.all', { title: match.title }) })
      return match
    } catch (error) {
      toast({ kind: 'problem', text: textOf(error) })
      return undefined
    }
  }
  return { refuse, isRefusing: change.isPending }
}
