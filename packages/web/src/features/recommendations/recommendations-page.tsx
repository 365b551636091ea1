import { listUserPlugins, readRecommendations, type RecommendationsResponse } from '@carrel/api'
import { NativeSelect } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useGoTo } from '../../lists/search/use-go-to.ts'
import { paths } from '../../navigation/paths.ts'
import { announce } from '../../ui/state/live-region.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { type Origin, originsOf } from './arranged.ts'
import { NoneYet, NoRecommender } from './nothing.tsx'
import { PutAwayList } from './put-away-list.tsx'
import { Refresh } from './refresh.tsx'
import { ShownRecommendations } from './shown-recommendations.tsx'
import { SourceList } from './source-list.tsx'

const route = getRouteApi('/signed-in/framed/recommendations')

/** The page shows what the user might read next, why, and which plugin says so. */
export const RecommendationsPage = (): ReactNode => {
  const { t } = useTranslation('recommendations')
  const { source, sort } = route.useSearch()
  const answer = useRead(readRecommendations, {})
  const plugins = useRead(listUserPlugins, {})
  useSayWhenMade(answer)
  const { sources, recommendations } = answer
  if (sources.length === 0)
    return (
      <Page title={t('title')}>
        <NoRecommender available={plugins.available} />
      </Page>
    )
  const origins = originsOf(sources)
  return (
    <Page
      title={t('title')}
      actions={
        <>
          {origins.length > 1 ? <Choices origins={origins} /> : null}
          <Refresh sources={sources} />
        </>
      }
    >
      <SourceList sources={sources} />
      {recommendations.length === 0 ? (
        <NoneYet sources={sources} />
      ) : (
        <ShownRecommendations
          key={`${source} ${sort}`}
          recommendations={recommendations}
          source={source}
          sort={sort}
          hasSeveral={sources.length > 1}
        />
      )}
      <PutAwayList />
    </Page>
  )
}

/** They arrive by themselves, which only eyes would notice. */
const useSayWhenMade = ({ sources, recommendations }: RecommendationsResponse): void => {
  const { t } = useTranslation('recommendations')
  const isBusy = sources.some(({ taskId }) => taskId !== null)
  const wasBusy = useRef(isBusy)
  const count = recommendations.length
  useEffect(() => {
    if (wasBusy.current && !isBusy) announce(t('made', { count }))
    wasBusy.current = isBusy
  }, [isBusy, count, t])
}

/** The chosen source and order are part of the address. */
const Choices = ({ origins }: { readonly origins: readonly Origin[] }): ReactNode => {
  const { t } = useTranslation('recommendations')
  const { source, sort } = route.useSearch()
  const goTo = useGoTo()
  const choose = (next: { source?: string | undefined; sort?: 'source' | undefined }): void =>
    goTo(
      paths.recommendations({
        ...(next.source !== undefined && { source: next.source }),
        ...(next.sort !== undefined && { sort: next.sort }),
      }),
    )()
  return (
    <>
      <NativeSelect
        aria-label={t('from')}
        value={source ?? ''}
        data={[
          { value: '', label: t('fromAll') },
          ...origins.map((each) => ({ value: each.source, label: each.names.join(' · ') })),
        ]}
        onChange={({ currentTarget: { value } }) => choose({ source: value === '' ? undefined : value, sort })}
      />
      <NativeSelect
        aria-label={t('sortBy')}
        value={sort ?? ''}
        data={[
          { value: '', label: t('bestFirst') },
          { value: 'source', label: t('bySource') },
        ]}
        onChange={({ currentTarget: { value } }) => choose({ source, sort: value === '' ? undefined : 'source' })}
      />
    </>
  )
}
