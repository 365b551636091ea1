import { listLibraries, listSeries, readSeriesPicture, type SeriesDto } from '@carrel/api'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { pictureOf } from '../../api/picture.ts'
import { useRead } from '../../api/queries.ts'
import { AppLink } from '../../link.tsx'
import { useMay } from '../../me.ts'
import { paths } from '../../paths.ts'
import { CoverCard, CoverGrid } from '../../ui/cover-card.tsx'
import { Page, Section } from '../../ui/page.tsx'
import { EmptyState } from '../../ui/state.tsx'
import { newestSeries } from './newest-series.ts'

export const HomePage = (): ReactNode => {
  const { t } = useTranslation('home')
  const { total } = useRead(listLibraries, {})
  return <Page title={t('title')}>{total === 0 ? <Nothing /> : <RecentlyAdded />}</Page>
}

/** As many as are seen at once on most screens: they are fetched first. */
const firstMax = 6

const RecentlyAdded = (): ReactNode => {
  const { t } = useTranslation('home')
  const { data, total } = useRead(listSeries, newestSeries)
  if (data.length === 0) return <EmptyState icon="series" title={t('noSeries')} text={t('noSeriesText')} />
  return (
    <Section title={t('recentlyAdded')} text={t('series', { count: total })}>
      <CoverGrid>
        {data.map((series, index) => (
          <SeriesCard key={series.id} series={series} isFirst={index < firstMax} />
        ))}
      </CoverGrid>
    </Section>
  )
}

const SeriesCard = ({ series, isFirst }: { readonly series: SeriesDto; readonly isFirst: boolean }): ReactNode => {
  const { t } = useTranslation('home')
  return (
    <CoverCard
      src={pictureOf(readSeriesPicture, series)}
      thumbhash={series.placeholder}
      icon="series"
      isFirst={isFirst}
      title={series.title}
      subtitle={t('books', { count: series.bookCount })}
      link={AppLink}
    />
  )
}

const Nothing = (): ReactNode => {
  const { t } = useTranslation('home')
  const mayAdd = useMay('libraries:write')
  const add = (
    <Button component={AppLink} to={paths.newLibrary()}>
      {t('addLibrary')}
    </Button>
  )
  return (
    <EmptyState
      icon="library"
      title={t('empty')}
      text={mayAdd ? t('emptyForAdministrators') : t('emptyText')}
      action={mayAdd ? add : undefined}
    />
  )
}
