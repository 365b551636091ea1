import type { DeviceStat, ReadingStatsResponse } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AppLink } from '../../navigation/link.tsx'
import { paths } from '../../navigation/paths.ts'
import { Columns, Grid, Row, Stack, Text } from '../../ui/layout/layout.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { useFigureText } from './figure-text.ts'
import { type FigureRow, FigureTable } from './figure-table.tsx'
import { type Amount, amountOf } from './figures.ts'
import type { Measure } from './search.ts'
import { Legend } from './legend.tsx'
import styles from './statistics.module.css'
import type { View } from './use-view.ts'

interface RankingSectionsProps {
  readonly view: View
  readonly stats: ReadingStatsResponse
  /** There may be more series than were requested. */
  readonly isCut: boolean
}

/** The same figures by what was read, and on what. */
export const RankingSections = ({ view: { measure }, stats, isCut }: RankingSectionsProps): ReactNode => {
  const { t } = useTranslation('statistics')
  const { series, formats, devices, summary } = stats
  const nameOf = ({ deviceId, deviceName }: DeviceStat): string =>
    deviceName ?? (deviceId === 'unknown' ? t('unknownDevice') : t('namelessDevice'))
  const rest = { measure, summary }
  return (
    <>
      <Ranking
        {...rest}
        title={t('bySeries')}
        of={t('piece.series')}
        text={isCut ? t('cut', { count: series.length }) : undefined}
        rows={series.map((each) =>
          each.seriesId === null
            ? { key: 'hidden', name: t('noLongerSeen'), figures: each }
            : { key: each.seriesId, name: each.seriesName ?? '', figures: each, to: paths.series(each.seriesId) },
        )}
      />
      <Grid gap={5} min={22} stretch align="start">
        <Ranking
          {...rest}
          title={t('byFormat')}
          of={t('piece.format')}
          rows={formats.map((each) => ({ key: each.format, name: each.format.toUpperCase(), figures: each }))}
        />
        <Ranking
          {...rest}
          title={t('byDevice')}
          of={t('piece.device')}
          rows={devices.map((each) => ({ key: each.deviceId, name: nameOf(each), figures: each }))}
        />
      </Grid>
    </>
  )
}

interface LinkedRow extends FigureRow {
  readonly to?: string
}

interface RankingProps {
  readonly title: string
  readonly of: string
  readonly text?: string | undefined
  readonly rows: readonly LinkedRow[]
  readonly measure: Measure
  readonly summary: ReadingStatsResponse['summary']
}

const Ranking = ({ title, of, text, rows, measure, summary }: RankingProps): ReactNode => {
  const { t } = useTranslation('statistics')
  const ranked = rows.map((row) => ({ ...row, amount: amountOf(row.figures, measure, summary) }))
  const largest = Math.max(1, ...ranked.map(({ amount }) => amount.sure + amount.estimated))
  return (
    <Section title={title} text={text} actions={<Legend amounts={ranked.map(({ amount }) => amount)} />}>
      {rows.length === 0 ? (
        <Text quiet>{t('nothingRecorded')}</Text>
      ) : (
        <>
          <Stack as="ol" gap={3} aria-label={title}>
            {ranked.map(({ key, name, to, figures, amount }) => (
              <Columns as="li" gap={3} rowGap={1} key={key} className={styles.rank}>
                <Text as="span" lines={1} dir="auto">
                  {to === undefined ? name : <AppLink to={to}>{name}</AppLink>}
                </Text>
                <RankValue amount={amount} measure={measure} sessions={figures.sessions} />
                <RankBar amount={amount} largest={largest} />
              </Columns>
            ))}
          </Stack>
          <FigureTable of={of} caption={title} rows={rows} summary={summary} />
        </>
      )}
    </Section>
  )
}

interface RankValueProps {
  readonly amount: Amount
  readonly measure: Measure
  readonly sessions: number
}

const RankValue = ({ amount, measure, sessions }: RankValueProps): ReactNode => {
  const { t } = useTranslation('statistics')
  const text = useFigureText()
  return (
    <span className={styles.rankValue}>
      {text.amount(measure, amount)}
      {amount.isUnknown ? ` · ${t('sessions', { count: sessions })}` : null}
    </span>
  )
}

const RankBar = ({ amount, largest }: { readonly amount: Amount; readonly largest: number }): ReactNode => {
  const share = (value: number): string => `${(value / largest) * 100}%`
  const { sure, estimated, isUnknown } = amount
  return (
    <Row as="span" align="stretch" className={styles.rankBar} aria-hidden="true">
      {sure > 0 ? <span className={styles.rankSure} style={{ width: share(sure) }} /> : null}
      {estimated > 0 ? <span className={styles.rankEstimated} style={{ width: share(estimated) }} /> : null}
      {isUnknown ? <span className={styles.rankUnknown} /> : null}
    </Row>
  )
}
