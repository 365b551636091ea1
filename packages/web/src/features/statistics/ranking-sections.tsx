import type { DeviceStat, ReadingStatsResponse, SeriesStat } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { seriesCover } from '../../lists/item/addresses.ts'
import { AppLink } from '../../navigation/link.tsx'
import { paths } from '../../navigation/paths.ts'
import { Cover } from '../../ui/cover/cover.tsx'
import { type Tone, toned } from '../../ui/cover/toned.ts'
import { Columns, Row, Stack, Text } from '../../ui/layout/layout.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { useFigureText } from './figure-text.ts'
import { type FigureRow, FigureTable } from './figure-table.tsx'
import { type Amount, amountOf } from './figures.ts'
import type { Measure } from './search.ts'
import { Legend } from './legend.tsx'
import { RankBar } from './rank-bar.tsx'
import styles from './ranking.module.css'

interface RankingProps {
  readonly stats: Pick<ReadingStatsResponse, 'series' | 'formats' | 'devices' | 'summary'>
  readonly measure: Measure
}

interface SeriesRankingProps extends RankingProps {
  /** There may be more series than were requested. */
  readonly isCut: boolean
}

/** What was read, by its covers: the bars are of their colours. */
export const SeriesRanking = ({ measure, stats: { series, summary }, isCut }: SeriesRankingProps): ReactNode => {
  const { t } = useTranslation('statistics')
  return (
    <Ranking
      measure={measure}
      summary={summary}
      title={t('bySeries')}
      of={t('piece.series')}
      text={isCut ? t('cut', { count: series.length }) : undefined}
      rows={series.map((each) => ({
        key: each.seriesId ?? 'hidden',
        name: each.seriesId === null ? t('noLongerSeen') : (each.seriesName ?? ''),
        figures: each,
        picture: pictureOf(each),
        below: t('books', { count: each.books }),
        // Where there is no cover, there is no such page any more.
        ...(each.seriesId !== null && each.cover !== null && { to: paths.series(each.seriesId) }),
      }))}
    />
  )
}

/** How wide such a cover is shown. */
const coverWidth = 40

const pictureOf = ({ seriesId, cover }: SeriesStat): RowPicture =>
  seriesId === null || cover === null
    ? { src: null, thumbhash: null, tone: null }
    : {
        src: seriesCover({ id: seriesId, coverVersion: cover.coverVersion }, coverWidth),
        thumbhash: cover.placeholder,
        tone: cover.tone,
      }

export const FormatRanking = ({ measure, stats: { formats, summary } }: RankingProps): ReactNode => {
  const { t } = useTranslation('statistics')
  return (
    <Ranking
      measure={measure}
      summary={summary}
      title={t('byFormat')}
      of={t('piece.format')}
      rows={formats.map((each) => ({ key: each.format, name: each.format.toUpperCase(), figures: each }))}
    />
  )
}

export const DeviceRanking = ({ measure, stats: { devices, summary } }: RankingProps): ReactNode => {
  const { t } = useTranslation('statistics')
  const nameOf = ({ deviceId, deviceName }: DeviceStat): string =>
    deviceName ?? (deviceId === 'unknown' ? t('unknownDevice') : t('namelessDevice'))
  return (
    <Ranking
      measure={measure}
      summary={summary}
      title={t('byDevice')}
      of={t('piece.device')}
      rows={devices.map((each) => ({ key: each.deviceId, name: nameOf(each), figures: each }))}
    />
  )
}

interface RowPicture {
  readonly src: string | null
  readonly thumbhash: string | null
  readonly tone: Tone | null
}

interface RankedRow extends FigureRow {
  readonly to?: string
  readonly picture?: RowPicture
  readonly below?: string
}

interface ListProps {
  readonly title: string
  readonly of: string
  readonly text?: string | undefined
  readonly rows: readonly RankedRow[]
  readonly measure: Measure
  readonly summary: ReadingStatsResponse['summary']
}

const Ranking = ({ title, of, text, rows, measure, summary }: ListProps): ReactNode => {
  const { t } = useTranslation('statistics')
  const ranked = rows.map((row) => ({ ...row, amount: amountOf(row.figures, measure, summary) }))
  const largest = Math.max(1, ...ranked.map(({ amount }) => amount.sure + amount.estimated))
  return (
    <Section title={title} text={text}>
      {rows.length === 0 ? (
        <Text quiet>{t('nothingRecorded')}</Text>
      ) : (
        <>
          <Stack as="ol" gap={3} aria-label={title}>
            {ranked.map(({ key, ...row }) => (
              <li key={key} {...toned(row.picture?.tone)}>
                <RankedLine row={row} measure={measure} largest={largest} />
              </li>
            ))}
          </Stack>
          <FigureTable
            of={of}
            caption={title}
            rows={rows}
            summary={summary}
            before={<Legend amounts={ranked.map(({ amount }) => amount)} />}
          />
        </>
      )}
    </Section>
  )
}

interface RankedLineProps {
  readonly row: Omit<RankedRow, 'key'> & { readonly amount: Amount }
  readonly measure: Measure
  readonly largest: number
}

const RankedLine = ({ row, measure, largest }: RankedLineProps): ReactNode => {
  const { name, to, picture, below, figures, amount } = row
  const words = (
    <div>
      <Row gap={3} rowGap={0} align="baseline" justify="between" wrap>
        <Text as="span" lines={1} className={styles.name} dir="auto">
          {name}
        </Text>
        <RankValue amount={amount} measure={measure} sessions={figures.sessions} />
      </Row>
      <RankBar amount={amount} largest={largest} />
      {below === undefined ? null : (
        <Text as="span" quiet size={12}>
          {below}
        </Text>
      )}
    </div>
  )
  if (picture === undefined) return words
  const { src, thumbhash } = picture
  const parts = (
    <>
      <Cover src={src} thumbhash={thumbhash} alt="" icon="series" isPatient />
      {words}
    </>
  )
  return to === undefined ? (
    <Columns gap={3} align="center" className={styles.line}>
      {parts}
    </Columns>
  ) : (
    <Columns as={AppLink} gap={3} align="center" to={to} className={styles.line}>
      {parts}
    </Columns>
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
    <span className={styles.value}>
      {text.amount(measure, amount)}
      {amount.isUnknown ? ` · ${t('sessions', { count: sessions })}` : null}
    </span>
  )
}
