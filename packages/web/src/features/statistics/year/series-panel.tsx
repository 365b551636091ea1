import type { ReadingYear } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { seriesCover } from '../../../lists/item/addresses.ts'
import { AppLink } from '../../../navigation/link.tsx'
import { paths } from '../../../navigation/paths.ts'
import { Cover } from '../../../ui/cover/cover.tsx'
import { toned } from '../../../ui/cover/toned.ts'
import { Columns, Stack, Text } from '../../../ui/layout/layout.tsx'
import { useFigureText } from '../figure-text.ts'
import { type Amount, amountOf, type Summary } from '../figures.ts'
import { RankBar } from '../rank-bar.tsx'
import { Panel } from './panel.tsx'
import { type SeenSeries, seenSeries } from './seen-series.ts'
import styles from './year.module.css'

/** What was read longest: the first of it large, as one would show it to somebody. */
export const SeriesPanel = ({ year }: { readonly year: ReadingYear }): ReactNode => {
  const { t } = useTranslation('statistics')
  const [first, ...rest] = seenSeries(year)
  if (first === undefined) return null
  const { summary } = year
  const largest = Math.max(1, first.figures.duration.totalMs)
  return (
    <Panel title={t('year.series')}>
      <Columns gap={6} rowGap={4} align="center" className={rest.length === 0 ? styles.one : styles.two}>
        <div {...toned(first.tone)}>
          <Columns as={AppLink} gap={5} align="center" to={paths.series(first.id)} className={styles.first}>
            <Cover src={seriesCover(first, 180)} thumbhash={first.placeholder} alt="" icon="series" />
            <SeriesWords series={first} summary={summary} isFirst />
          </Columns>
        </div>
        {rest.length === 0 ? null : (
          <Stack as="ol" gap={2}>
            {rest.map((series) => (
              <li key={series.id} {...toned(series.tone)}>
                <Columns as={AppLink} gap={3} align="center" to={paths.series(series.id)} className={styles.line}>
                  <Cover src={seriesCover(series, 44)} thumbhash={series.placeholder} alt="" icon="series" isPatient />
                  <SeriesWords series={series} summary={summary} largest={largest} />
                </Columns>
              </li>
            ))}
          </Stack>
        )}
      </Columns>
    </Panel>
  )
}

interface SeriesWordsProps {
  readonly series: SeenSeries
  readonly summary: Summary
  readonly isFirst?: boolean
  /** Absent: no bar. */
  readonly largest?: number
}

const SeriesWords = ({ series, summary, isFirst = false, largest }: SeriesWordsProps): ReactNode => {
  const { t } = useTranslation('statistics')
  const text = useFigureText()
  const amount: Amount = amountOf(series.figures, 'time', summary)
  return (
    <div>
      <Text as="span" lines={isFirst ? 3 : 1} className={isFirst ? styles.work : styles.name} dir="auto">
        {series.name}
      </Text>
      {largest === undefined ? null : <RankBar amount={amount} largest={largest} />}
      <Text as="span" quiet size={isFirst ? 14 : 13}>
        {[text.amount('time', amount), t('books', { count: series.books })].join(' · ')}
      </Text>
    </div>
  )
}
