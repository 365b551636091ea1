import { listFollowedSeries, listSeriesByReadingStatus, readingStatuses, type SeriesDto } from '@carrel/api'
import { useSuspenseQueries } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { query, useRead } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { CardPages } from '../../lists/pages/card-pages.tsx'
import { SeriesCard } from '../../lists/item/item-card.tsx'
import { type ListSource, pageQuery, pageSize } from '../../lists/pages/use-pages.ts'
import { type MySeriesKind, paths } from '../../navigation/paths.ts'
import { Page } from '../../ui/layout/page.tsx'
import { WayOut } from '../../navigation/way-out.tsx'
import { EmptyState } from '../../ui/state/state.tsx'
import { Tabs } from '../../ui/layout/tabs.tsx'
import { mySeriesKinds } from './kinds.ts'

const route = getRouteApi('/signed-in/framed/my-series')

const sourceOf = (kind: MySeriesKind): ListSource<SeriesDto> => ({
  key: `my series ${kind}`,
  page: (page) =>
    kind === 'followed'
      ? pageQuery(listFollowedSeries, { query: { page, pageSize } })
      : pageQuery(listSeriesByReadingStatus, { query: { page, pageSize, status: kind } }),
})

/** How many there are is all that is asked for. */
const firstOf = (status: (typeof readingStatuses)[number]) =>
  [listSeriesByReadingStatus, { query: { page: 1, pageSize: 1, status } }] as const

const firstFollowed = { query: { page: 1, pageSize: 1 } }

const useCounts = (): Readonly<Record<MySeriesKind, string>> => {
  const { i18n } = useTranslation()
  const number = (value: number): string => new Intl.NumberFormat(i18n.resolvedLanguage).format(value)
  const followed = useRead(listFollowedSeries, firstFollowed).total
  const ofStatus = useSuspenseQueries({ queries: readingStatuses.map((status) => query(...firstOf(status))) })
  const counted = readingStatuses.map(
    (status, index) => [status, number(ofStatus[index]?.data.body.total ?? 0)] as const,
  )
  return {
    ...(Object.fromEntries(counted) as Record<(typeof readingStatuses)[number], string>),
    followed: number(followed),
  }
}

/** Series by what their reader says of them. */
export const MySeriesPage = (): ReactNode => {
  const { t } = useTranslation('my-series')
  const { of = 'reading' } = route.useSearch()
  const counts = useCounts()
  return (
    <Page title={t('title')} subtitle={t('subtitle')}>
      <Tabs
        label={t('title')}
        link={AppLink}
        tabs={mySeriesKinds.map((kind) => ({
          to: kind === 'reading' ? paths.mySeries() : paths.mySeries({ of: kind }),
          label: t(`kind.${kind}`),
          isCurrent: kind === of,
          count: counts[kind],
        }))}
      />
      <CardPages
        key={of}
        source={sourceOf(of)}
        label={t(`kind.${of}`)}
        empty={
          <EmptyState
            icon="series"
            title={t('none')}
            text={of === 'reading' ? t('noneReading') : t(of === 'followed' ? 'noneFollowed' : 'noneOfStatus')}
            action={of === 'reading' ? <WayOut to={paths.continueReading()} label={t('toBegun')} /> : <WayOut />}
          />
        }
        renderCard={(series, { width, focus }) => <SeriesCard series={series} width={width} focus={focus} />}
      />
    </Page>
  )
}
