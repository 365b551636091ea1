import {
  dismissRecommendation,
  type DismissReason,
  type RecommendationDto,
  readRecommendations,
  restoreRecommendation,
} from '@carrel/api'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { queryClient, useChange } from '../../api/queries.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { toast } from '../../ui/state/toasts.tsx'

/** It is a recommendation dismissed since the app was opened: the server can restore each, but has no list of them. */
export type PutAway = Pick<RecommendationDto, 'externalId' | 'title'>

const queryKey = ['what was put away']
const readCached = (): readonly PutAway[] => queryClient.getQueryData<readonly PutAway[]>(queryKey) ?? []
const without = (externalId: string) => readCached().filter((each) => each.externalId !== externalId)

export const usePutAway = (): readonly PutAway[] =>
  useQuery({ queryKey, queryFn: readCached, initialData: readCached, staleTime: Infinity, gcTime: Infinity }).data

const invalidates = [readRecommendations]

/** It dismisses recommendations and brings them back. */
export const usePuttingAway = () => {
  const { t } = useTranslation('recommendations')
  const textOf = useProblemText()
  const { mutate: dismiss } = useChange(dismissRecommendation, { invalidates })
  const { mutate: restore } = useChange(restoreRecommendation, {
    invalidates,
    // The callback also runs when the page has been left before the undo.
    onDone: (_, { params: { externalId } }) => void queryClient.setQueryData(queryKey, without(externalId)),
  })
  const onError = (error: unknown): void => toast({ kind: 'problem', text: textOf(error) })

  const bringBack = ({ externalId }: PutAway): void => restore({ params: { externalId } }, { onError })
  const putAway = ({ externalId, title }: PutAway, reason: DismissReason): void =>
    dismiss(
      { params: { externalId }, body: { reason } },
      {
        onSuccess: () => {
          queryClient.setQueryData(queryKey, [{ externalId, title }, ...without(externalId)])
          toast({ text: t('putAway', { title }), undo: () => bringBack({ externalId, title }) })
        },
        onError,
      },
    )
  return { putAway, bringBack }
}
