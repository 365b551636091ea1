import { readReadingStats } from '@carrel/api'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { paths } from '../../navigation/paths.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { Page } from '../../ui/layout/page.tsx'
import { EmptyState, ErrorState } from '../../ui/state/state.tsx'
import { CalendarSection } from './calendar-section.tsx'
import { Controls } from './controls.tsx'
import { PaceSection } from './pace-section.tsx'
import { PeriodsSection } from './periods-section.tsx'
import { RankingSections } from './ranking-sections.tsx'
import styles from './statistics.module.css'
import { SummaryTiles } from './summary-tiles.tsx'
import { useView, type View } from './use-view.ts'

export const StatisticsPage = (): ReactNode => {
  const { t } = useTranslation('statistics')
  const view = useView()
  return (
    <Page title={t('title')} subtitle={t('subtitle')}>
      {view === undefined ? (
        <EmptyState
          icon="chart"
          title={t('none')}
          text={t('noneText')}
          action={
            <Button component={AppLink} to={paths.seriesList()}>
              {t('toSeries')}
            </Button>
          }
        />
      ) : (
        <Statistics view={view} />
      )}
    </Page>
  )
}

const seriesAtMost = 10

const Statistics = ({ view }: { readonly view: View }): ReactNode => {
  const { t } = useTranslation('statistics')
  const textOf = useProblemText()
  const { days, granularity, measure } = view
  const query = { ...days, granularity, sort: measure, seriesLimit: seriesAtMost }
  const { data, error, refetch } = useLater(readReadingStats, { query }, { keepPrevious: true })
  if (data === undefined && error !== null)
    return (
      <ErrorState
        title={t('failed')}
        text={textOf(error)}
        action={<Button onClick={() => void refetch()}>{t('again')}</Button>}
      />
    )
  return (
    <>
      <Controls view={view} />
      {data === undefined ? (
        <div className={styles.waiting} role="status" aria-busy="true" aria-label={t('waiting')} />
      ) : (
        <>
          <SummaryTiles summary={data.summary} />
          <PeriodsSection view={view} stats={data} />
          <CalendarSection view={view} />
          <RankingSections view={view} stats={data} isCut={data.series.length === seriesAtMost} />
          <PaceSection />
        </>
      )}
    </>
  )
}
