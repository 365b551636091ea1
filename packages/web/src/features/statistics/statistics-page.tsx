import { readReadingCalendar, readReadingStats } from '@carrel/api'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { paths } from '../../navigation/paths.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { Icon } from '../../ui/icon.tsx'
import { Columns, Stack } from '../../ui/layout/layout.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { EmptyState, ErrorState } from '../../ui/state/state.tsx'
import { CalendarSection } from './calendar-section.tsx'
import { Controls } from './controls.tsx'
import { PaceSection } from './pace-section.tsx'
import { PeriodsSection } from './periods-section.tsx'
import { DeviceRanking, FormatRanking, SeriesRanking } from './ranking-sections.tsx'
import styles from './statistics.module.css'
import { SummaryTiles } from './summary-tiles.tsx'
import { ThisWeek } from './this-week.tsx'
import { useView, type View } from './use-view.ts'
import { useWeeks } from './use-weeks.ts'

export const StatisticsPage = (): ReactNode => {
  const { t } = useTranslation('statistics')
  const view = useView()
  return (
    <Page
      title={t('title')}
      subtitle={t('subtitle')}
      width="wide"
      actions={view === undefined ? undefined : <ReviewLink year={view.year} />}
    >
      {view === undefined ? (
        <EmptyState
          icon="chart"
          title={t('none')}
          text={t('noneText')}
          action={
            <Button component={AppLink} to={paths.seriesList()} radius="xl">
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

const ReviewLink = ({ year }: { readonly year: number }): ReactNode => {
  const { t } = useTranslation('statistics')
  return (
    <Button
      component={AppLink}
      to={paths.yearInReview(year)}
      variant="default"
      radius="xl"
      leftSection={<Icon name="spark" size="small" />}
    >
      {t('review', { year: String(year) })}
    </Button>
  )
}

const seriesAtMost = 10

const Statistics = ({ view }: { readonly view: View }): ReactNode => {
  const { t } = useTranslation('statistics')
  const textOf = useProblemText()
  const { days, granularity, measure, today, year } = view
  const query = { ...days, granularity, sort: measure, seriesLimit: seriesAtMost }
  const { data, error, refetch } = useLater(readReadingStats, { query }, { keepPrevious: true })
  const weeks = useWeeks(today)
  const calendar = useLater(readReadingCalendar, { query: { year } }, { keepPrevious: true })
  if (data === undefined && error !== null)
    return (
      <ErrorState
        title={t('failed')}
        text={textOf(error)}
        action={<Button onClick={() => void refetch()}>{t('again')}</Button>}
      />
    )
  // All of it comes at once: what stands below would be pushed down by what stands above.
  if (data === undefined || weeks.isPending || calendar.isPending)
    return <div className={styles.waiting} role="status" aria-busy="true" aria-label={t('waiting')} />
  return (
    <>
      {weeks.data === undefined ? null : <ThisWeek weeks={weeks.data} />}
      <CalendarSection view={view} />
      <Controls view={view} />
      <SummaryTiles summary={data.summary} />
      <Columns gap={6} rowGap={5} align="start" className={styles.two}>
        <SeriesRanking measure={measure} stats={data} isCut={data.series.length === seriesAtMost} />
        <Stack gap={5}>
          <PeriodsSection view={view} stats={data} />
          <PaceSection />
        </Stack>
      </Columns>
      <Columns gap={6} rowGap={5} align="start" className={styles.two}>
        <FormatRanking measure={measure} stats={data} />
        <DeviceRanking measure={measure} stats={data} />
      </Columns>
    </>
  )
}
