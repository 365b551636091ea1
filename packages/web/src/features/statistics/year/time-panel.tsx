import type { ReadingYear } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { seriesCover } from '../../../lists/item/addresses.ts'
import { toned } from '../../../ui/cover/toned.ts'
import { Fan } from '../../../ui/detail/fan.tsx'
import { Columns, Grid } from '../../../ui/layout/layout.tsx'
import { useFigureText } from '../figure-text.ts'
import { amountOf, isAtLeast } from '../figures.ts'
import { FigurePanel } from './panel.tsx'
import { seenSeries } from './seen-series.ts'
import styles from './year.module.css'

interface YearProps {
  readonly year: ReadingYear
}

/** How long somebody has read, in the colour of what they have read most. */
export const TimePanel = ({ year }: YearProps): ReactNode => {
  const { t } = useTranslation('statistics')
  const text = useFigureText()
  const { summary, activeDays } = year
  const { sure, estimated, isUnknown } = amountOf(summary, 'time', summary)
  const series = seenSeries(year)
  const { className, style } = toned(series[0]?.tone)
  const facts = [
    t('year.onDays', { count: activeDays }),
    t('sessions', { count: summary.sessions }),
    estimated > 0 ? t('estimated', { time: text.time(estimated) }) : '',
  ].filter((part) => part !== '')
  return (
    <Columns
      as="section"
      gap={5}
      align="center"
      className={[styles.panel, styles.time, className].filter(Boolean).join(' ')}
      style={style}
    >
      <div>
        <h2 className={styles.title}>{t('year.time')}</h2>
        <p className={styles.huge}>
          {isUnknown ? (
            t('unknown')
          ) : (
            <>
              {isAtLeast('time', summary) ? <small className={styles.before}>{t('atLeast')} </small> : null}
              {text.time(sure + estimated)}
            </>
          )}
        </p>
        <p className={styles.facts}>{facts.join(' · ')}</p>
      </div>
      {series.length === 0 ? null : (
        <div className={styles.fan}>
          <Fan
            icon="series"
            covers={series.map(({ id, coverVersion, placeholder }) => ({
              id,
              src: seriesCover({ id, coverVersion }, 150),
              thumbhash: placeholder,
            }))}
          />
        </div>
      )}
    </Columns>
  )
}

export const CountPanels = ({ year: { summary, longestStreak } }: YearProps): ReactNode => {
  const { t } = useTranslation('statistics')
  const text = useFigureText()
  const pages = amountOf(summary, 'pages', summary)
  const { from, to, days } = longestStreak
  return (
    <Grid gap={4} min={15} stretch>
      <FigurePanel
        title={t('over.completions')}
        figure={text.number(summary.booksFinished)}
        text={t('year.ofBooks', { count: summary.books })}
      />
      <FigurePanel
        title={t('over.pages')}
        figure={text.amount('pages', pages)}
        before={isAtLeast('pages', summary) && pages.sure > 0 ? t('atLeast') : undefined}
        text={perSession(summary.pagesRead, summary.sessions, (value) => t('year.perSession', { count: value }))}
      />
      <FigurePanel
        title={t('longestStreak')}
        figure={t('days', { count: days })}
        text={
          from === null || to === null || days < 2
            ? undefined
            : t('fromTo', { from: text.longDay(from), to: text.longDay(to) })
        }
      />
    </Grid>
  )
}

const perSession = (pages: number, sessions: number, say: (value: number) => string): string | undefined =>
  pages === 0 || sessions === 0 ? undefined : say(Math.max(1, Math.round(pages / sessions)))
