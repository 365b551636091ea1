import { readRecommendations, type RecommendationSource, refreshRecommendations } from '@carrel/api'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/queries.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { Icon } from '../../ui/icon.tsx'
import { announce } from '../../ui/state/live-region.tsx'
import { toast } from '../../ui/state/toasts.tsx'

/** It has recommendations computed again, except by sources that are doing so already. */
export const Refresh = ({ sources }: { readonly sources: readonly RecommendationSource[] }): ReactNode => {
  const { t } = useTranslation('recommendations')
  const textOf = useProblemText()
  const refresh = useChange(refreshRecommendations, { invalidates: [readRecommendations] })
  const isBusy = refresh.isPending || sources.every(({ taskId }) => taskId !== null)
  const run = (): void => {
    if (isBusy) return
    refresh.mutate(
      {},
      {
        onSuccess: () => announce(t('refreshing')),
        onError: (error) => toast({ kind: 'problem', text: textOf(error) }),
      },
    )
  }
  // It stays where the keyboard is, also while there is nothing to do.
  return (
    <Button
      variant="default"
      aria-disabled={isBusy}
      {...(isBusy && { 'data-disabled': true })}
      leftSection={<Icon name="refresh" size="small" />}
      onClick={run}
    >
      {t('refresh')}
    </Button>
  )
}
