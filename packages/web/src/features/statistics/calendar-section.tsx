import { type ReadingStreak, readReadingCalendar } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { IconAction } from '../../ui/action-menu.tsx'
import { Row } from '../../ui/layout/layout.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { cellsOf } from './calendar.ts'
import { CalendarKey, CalendarPicture } from './calendar-picture.tsx'
import { yearOf } from './days.ts'
import { useFigureText } from './figure-text.ts'
import { FigureTable } from './figure-table.tsx'
import styles from './statistics.module.css'
import type { View } from './use-view.ts'

/** The calendar shows the days of a year with reading, and how many of them came in a row. */
export const CalendarSection = ({ view }: { readonly view: View }): ReactNode => {
  const { t } = useTranslation('statistics')
  const text = useFigureText()
  const { year, today, first } = view
  const { data } = useLater(readReadingCalendar, { query: { year } }, { keepPrevious: true })
  const days = data?.year === year ? data.days : []
  const title = t('calendar', { year: String(year) })
  const gaps = { sessionsWithoutDuration: 1, sessionsWithoutPages: 1 }
  return (
    <Section title={title} text={t('activeDays', { count: days.length })} actions={<YearSteps view={view} />}>
      <CalendarPicture
        cells={cellsOf({ year, days })}
        label={`${title}: ${t('activeDays', { count: days.length })}`}
        isBusy={data === undefined}
        today={today}
      />
      <Row as="dl" gap={5} rowGap={1} wrap className={styles.streaks}>
        <Streak label={t('currentStreak')} streak={data?.currentStreak} />
        <Streak label={t('longestStreak')} streak={data?.longestStreak} />
      </Row>
      {year < yearOf(first) || year > yearOf(today) || days.length === 0 ? (
        <CalendarKey />
      ) : (
        <FigureTable
          of={t('piece.day')}
          caption={title}
          summary={gaps}
          rows={days.map((day) => ({ key: day.bucket, name: text.day(day.bucket), figures: day }))}
          before={<CalendarKey />}
        />
      )}
    </Section>
  )
}

const YearSteps = ({ view: { year, today, first, go } }: { readonly view: View }): ReactNode => {
  const { t } = useTranslation('statistics')
  return (
    <Row gap={2} className={styles.year}>
      {year > yearOf(first) ? (
        <IconAction icon="back" label={t('yearBefore')} onClick={() => go({ year: year - 1 })} />
      ) : null}
      <strong>{year}</strong>
      {year < yearOf(today) ? (
        <IconAction icon="onwards" label={t('yearAfter')} onClick={() => go({ year: year + 1 })} />
      ) : null}
    </Row>
  )
}

interface StreakProps {
  readonly label: string
  readonly streak: ReadingStreak | undefined
}

const Streak = ({ label, streak }: StreakProps): ReactNode => {
  const { t } = useTranslation('statistics')
  const text = useFigureText()
  const { from = null, to = null } = streak ?? {}
  return (
    <Row gap={2} rowGap={0} align="baseline" wrap>
      <dt>{label}</dt>
      <dd>
        <strong>{streak === undefined ? '…' : t('days', { count: streak.days })}</strong>{' '}
        <span>
          {from === null || to === null ? t('noStreak') : t('fromTo', { from: text.day(from), to: text.day(to) })}
        </span>
      </dd>
    </Row>
  )
}
