import { readSeries, readSeriesAhead, readRelatedSeries, type SeriesDetail } from '@carrel/api'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater, useRead } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { useItemText } from '../../lists/item/item-text.ts'
import { useMay } from '../../session/me.ts'
import { toned } from '../../ui/cover/toned.ts'
import { ReachedAction } from '../../ui/detail/main-action.tsx'
import { WorkPage } from '../../ui/detail/work-page.tsx'
import { Tabs } from '../../ui/layout/tabs.tsx'
import { DetailsTab } from './details-tab.tsx'
import { RelatedTab } from './related-tab.tsx'
import { SeriesHead } from './series-head.tsx'
import { addressOfTab, type SeriesTab, tabIn } from './tabs.ts'
import { useMainAction } from './use-main-action.ts'
import { VolumesTab } from './volumes-tab.tsx'
import { YouTab } from './you-tab.tsx'

const route = getRouteApi('/signed-in/framed/series/$seriesId')

export const SeriesPage = (): ReactNode => {
  const { seriesId: id } = route.useParams()
  const series = useRead(readSeries, { params: { id } })
  const { data: ahead } = useLater(readSeriesAhead, { params: { id } }, { enabled: useMay('books:read') })
  const main = useMainAction(series, ahead)
  const tab = tabIn(route.useSearch())
  return (
    <WorkPage key={id} {...toned(series.tone)} reach={main && <ReachedAction link={AppLink} {...main} />}>
      <SeriesHead series={series} ahead={ahead} main={main} />
      <SeriesTabs series={series} current={tab} />
      {tab === 'volumes' ? <VolumesTab series={series} /> : null}
      {tab === 'related' ? <RelatedTab series={series} /> : null}
      {tab === 'you' ? <YouTab series={series} /> : null}
      {tab === 'details' ? <DetailsTab series={series} /> : null}
    </WorkPage>
  )
}

/** A part without anything in it has no tab, unless it is the one that is open. */
const SeriesTabs = ({
  series: { id, title, bookCount, localMaxVolume },
  current,
}: {
  readonly series: SeriesDetail
  readonly current: SeriesTab
}): ReactNode => {
  const { t } = useTranslation('series')
  const text = useItemText()
  const { data: related } = useLater(readRelatedSeries, { params: { id } })
  const relatedCount = related ? related.byPeople.length + related.alike.length : 0
  const tabs: readonly { readonly tab: SeriesTab; readonly label: string; readonly count?: number }[] = [
    { tab: 'volumes', label: t(localMaxVolume === null ? 'books' : 'volumes'), count: bookCount },
    ...(relatedCount > 0 || current === 'related'
      ? [{ tab: 'related', label: t('related'), count: relatedCount } as const]
      : []),
    { tab: 'you', label: t('you.tab') },
    { tab: 'details', label: t('details') },
  ]
  return (
    <Tabs
      label={t('tabsOf', { title })}
      link={AppLink}
      tabs={tabs.map(({ tab, label, count }) => ({
        to: addressOfTab(id, tab),
        label,
        isCurrent: tab === current,
        count: count === undefined ? undefined : text.number(count),
      }))}
    />
  )
}
