import type { ReadingStatsResponse } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Section } from '../../ui/layout/page.tsx'
import { BarChart } from './bar-chart.tsx'
import { useFigureText } from './figure-text.ts'
import { FigureTable } from './figure-table.tsx'
import { amountOf } from './figures.ts'
import { Legend } from './legend.tsx'
import type { View } from './use-view.ts'
import { bucketsOf } from './windows.ts'

interface PeriodsSectionProps {
  readonly view: View
  readonly stats: ReadingStatsResponse
}

/** Time, pages or finished books over the window. */
export const PeriodsSection = ({ view, stats }: PeriodsSectionProps): ReactNode => {
  const { t } = useTranslation('statistics')
  const text = useFigureText()
  const { measure } = view
  const { granularity, periods, summary } = stats
  const byBucket = new Map(periods.map((period) => [period.bucket, period]))
  const bars = bucketsOf(view.days, granularity).map((bucket) => {
    const period = byBucket.get(bucket)
    const amount = period ? amountOf(period, measure, summary) : ({ sure: 0, estimated: 0, isUnknown: false } as const)
    const words = period ? `${text.amount(measure, amount)} · ${text.all(period)}` : t('nothingRecorded')
    return { key: bucket, name: text.bucket(bucket, granularity), amount, words }
  })
  const title = t(`over.${measure}`)
  return (
    <Section title={title}>
      <BarChart
        label={title}
        bars={bars}
        kind={measure === 'time' ? 'time' : 'count'}
        valueText={(value) => text.value(measure, value)}
      />
      <FigureTable
        of={t(`piece.${granularity}`)}
        caption={title}
        summary={summary}
        before={<Legend amounts={bars.map(({ amount }) => amount)} />}
        rows={periods.map((period) => ({
          key: period.bucket,
          name: text.bucket(period.bucket, granularity),
          figures: period,
        }))}
      />
    </Section>
  )
}
