import type { AvailablePlugin, RecommendationSource } from '@carrel/api'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AppLink } from '../../navigation/link.tsx'
import { useMay } from '../../session/me.ts'
import { paths } from '../../navigation/paths.ts'
import { EmptyState } from '../../ui/state/state.tsx'
import { usePutAway } from './put-away.ts'
import { WayOut } from '../../navigation/way-out.tsx'

const builtIn = '@carrel/plugin-local-recommendations'

/** No plugin recommends: it says what can be switched on, and whom to ask. */
export const NoRecommender = ({ available }: { readonly available: readonly AvailablePlugin[] }): ReactNode => {
  const { t } = useTranslation('recommendations')
  const maySetUp = useMay('plugins:write')
  if (available.length > 0)
    return (
      <EmptyState
        icon="spark"
        title={t('none')}
        text={t('noneOn', { names: available.map(({ displayName }) => displayName).join(' · ') })}
        action={
          <Button component={AppLink} to={paths.accountPlugins()}>
            {t('toAccount')}
          </Button>
        }
      />
    )
  if (!maySetUp) return <EmptyState icon="spark" title={t('none')} text={t('noneAsk')} action={<WayOut />} />
  return (
    <EmptyState
      icon="spark"
      title={t('none')}
      text={t('noneSetUp')}
      action={
        <Button component={AppLink} to={paths.newPlugin({ package: builtIn })}>
          {t('setUp')}
        </Button>
      }
    />
  )
}

/** Something recommends, but there is nothing to show. */
export const NoneYet = ({ sources }: { readonly sources: readonly RecommendationSource[] }): ReactNode => {
  const { t } = useTranslation('recommendations')
  const hasPutAway = usePutAway().length > 0
  if (hasPutAway)
    return <EmptyState icon="check" title={t('allPutAway')} text={t('allPutAwayText')} action={<WayOut />} />
  if (sources.every(({ cached, taskId }) => !cached && taskId !== null))
    return <EmptyState icon="clock" title={t('beingMade')} text={t('beingMadeText')} action={<WayOut />} />
  return <EmptyState icon="spark" title={t('nothing')} text={t('nothingText')} action={<WayOut />} />
}
