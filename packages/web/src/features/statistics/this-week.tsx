import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Columns, Row, Stack, Text } from '../../ui/layout/layout.tsx'
import { type Day, daysAfter } from './days.ts'
import { useFigureText } from './figure-text.ts'
import { FigureTable } from './figure-table.tsx'
import { type Amount, amountOf, isAtLeast, type Summary, totalOf } from './figures.ts'
import type { Weeks } from './use-weeks.ts'
import styles from './this-week.module.css'

/** What somebody asks first: how much they have read this week. The last one stands beside it. */
export const ThisWeek = ({ weeks }: { readonly weeks: Weeks }): ReactNode => {
  const { t } = useTranslation('statistics')
  const { present, last, streak } = weeks
  return (
    <Stack as="section" gap={2} aria-labelledby="this-week">
      <Columns gap={5} align="end" box pad={4} className={styles.week}>
        <div>
          <h2 id="this-week" className={styles.name}>
            {t('thisWeek')}
          </h2>
          <WeekText summary={present.summary} streak={streak} />
          <LastWeek summary={last.summary} />
        </div>
        <WeekBars weeks={weeks} />
      </Columns>
      <WeekTable weeks={weeks} />
    </Stack>
  )
}

interface WeekTextProps {
  readonly summary: Summary
  readonly streak: number
}

const WeekText = ({ summary, streak }: WeekTextProps): ReactNode => {
  const { t } = useTranslation('statistics')
  const text = useFigureText()
  const { sessions, booksFinished, pagesRead, duration } = summary
  const { sure, estimated, isUnknown } = amountOf(summary, 'time', summary)
  const isNothing = sessions === 0 && booksFinished === 0
  const facts = [
    booksFinished > 0 ? t('booksFinished', { count: booksFinished }) : '',
    pagesRead > 0 ? t('pages', { count: pagesRead }) : '',
    streak > 1 ? t('daysInARow', { count: streak }) : '',
    // Part of what stands above is no measurement.
    duration.inferredMs > 0 ? t('estimated', { time: text.time(estimated) }) : '',
  ].filter((part) => part !== '')
  return (
    <>
      <p className={styles.large}>
        {isNothing ? (
          t('nothingYet')
        ) : isUnknown ? (
          t('sessions', { count: sessions })
        ) : (
          <>
            {isAtLeast('time', summary) ? <small className={styles.before}>{t('atLeast')} </small> : null}
            {text.time(sure + estimated)}
          </>
        )}
      </p>
      {facts.length === 0 ? null : <p className={styles.facts}>{facts.join(' · ')}</p>}
    </>
  )
}

const LastWeek = ({ summary }: { readonly summary: Summary }): ReactNode => {
  const { t } = useTranslation('statistics')
  const text = useFigureText()
  const { sessions, booksFinished } = summary
  if (sessions === 0 && booksFinished === 0) return <Text quiet>{t('nothingLastWeek')}</Text>
  const figures = [
    text.amount('time', amountOf(summary, 'time', summary)),
    booksFinished > 0 ? t('booksFinished', { count: booksFinished }) : '',
  ].filter((part) => part !== '')
  return <Text quiet>{t('lastWeek', { figures: figures.join(' · ') })}</Text>
}

const weekdays = [0, 1, 2, 3, 4, 5, 6] as const

const dayOf = ({ periods, summary }: Weeks['present'], day: Day): Amount => {
  const read = periods.find(({ bucket }) => bucket === day)
  return read ? amountOf(read, 'time', summary) : { sure: 0, estimated: 0, isUnknown: false }
}

/** Two bars for each day: that of the last week, and that of this one. The table below says the same. */
const WeekBars = ({ weeks: { monday, present, last } }: { readonly weeks: Weeks }): ReactNode => {
  const text = useFigureText()
  const days = weekdays.map((weekday) => ({
    day: daysAfter(monday, weekday),
    here: dayOf(present, daysAfter(monday, weekday)),
    before: dayOf(last, daysAfter(monday, weekday - 7)),
  }))
  const largest = Math.max(1, ...days.flatMap(({ here, before }) => [here, before].map(totalOf)))
  return (
    <Columns as="div" gap={2} align="end" className={styles.days} aria-hidden="true">
      {days.map(({ day, here, before }) => (
        <div key={day} className={styles.day}>
          <Row gap="hair" align="end" justify="center" className={styles.pair}>
            <WeekBar amount={before} which="last" largest={largest} />
            <WeekBar amount={here} which="present" largest={largest} />
          </Row>
          {text.weekdayLetter(day)}
        </div>
      ))}
    </Columns>
  )
}

interface WeekBarProps {
  readonly amount: Amount
  readonly which: 'last' | 'present'
  readonly largest: number
}

const WeekBar = ({ amount, which, largest }: WeekBarProps): ReactNode => {
  const all = totalOf(amount)
  if (amount.isUnknown) return <span className={styles.bar} data-of="unknown" />
  return (
    <span className={styles.bar} data-of={which} style={{ height: `${(all / largest) * 100}%` }}>
      {amount.estimated > 0 ? (
        <span className={styles.estimated} style={{ height: `${(amount.estimated / all) * 100}%` }} />
      ) : null}
    </span>
  )
}

const WeekTable = ({ weeks: { present, last } }: { readonly weeks: Weeks }): ReactNode => {
  const { t } = useTranslation('statistics')
  const text = useFigureText()
  const rows = [...present.periods.toReversed(), ...last.periods.toReversed()]
  if (rows.length === 0) return null
  const gaps = {
    sessionsWithoutDuration: present.summary.sessionsWithoutDuration + last.summary.sessionsWithoutDuration,
    sessionsWithoutPages: present.summary.sessionsWithoutPages + last.summary.sessionsWithoutPages,
  }
  return (
    <FigureTable
      of={t('piece.day')}
      caption={t('twoWeeks')}
      summary={gaps}
      rows={rows.map((day) => ({ key: day.bucket, name: text.day(day.bucket), figures: day }))}
      before={
        <Row as="ul" gap={4} rowGap={1} wrap className={styles.key}>
          {(['present', 'last'] as const).map((which) => (
            <Row as="li" key={which} gap={2}>
              <span className={styles.sample} data-of={which} aria-hidden="true" />
              {t(which === 'present' ? 'thisWeek' : 'weekBefore')}
            </Row>
          ))}
          {rows.some((day) => amountOf(day, 'time', gaps).isUnknown) ? (
            <Row as="li" gap={2}>
              <span className={styles.sample} data-of="unknown" aria-hidden="true" />
              {t('level.unknown')}
            </Row>
          ) : null}
        </Row>
      }
    />
  )
}
