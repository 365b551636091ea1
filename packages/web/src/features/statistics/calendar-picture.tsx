import { type PointerEvent, type ReactNode, useCallback, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Row } from '../../ui/layout/layout.tsx'
import chart from './bar-chart.module.css'
import { type Cell, type Level, monthsOf } from './calendar.ts'
import type { Day } from './days.ts'
import { useFigureText } from './figure-text.ts'
import { amountOf } from './figures.ts'
import styles from './statistics.module.css'
import { whenPointerLeaves } from './when-pointer-leaves.ts'

interface CalendarPictureProps {
  readonly cells: readonly Cell[]
  readonly label: string
  readonly isBusy: boolean
  readonly today: Day
}

const step = 13
const size = 11
const left = 30
const top = 14
/** A year has days in at most 54 weeks. */
const width = left + 54 * step
const height = top + 7 * step
/** Monday, Wednesday, Friday. */
const namedDays = [0, 2, 4] as const

/** A year, a column for each week. */
export const CalendarPicture = ({ cells, label, isBusy, today }: CalendarPictureProps): ReactNode => {
  const { t } = useTranslation('statistics')
  const text = useFigureText()
  const [shown, setShown] = useState<Cell>()
  const point = ({ target }: PointerEvent): void => {
    const day = target instanceof SVGElement ? target.getAttribute('data-day') : null
    setShown(cells.find((cell) => cell.day === day))
  }
  // Where a year is wider than the screen, one sees what is now, not its January.
  const showToday = useCallback((scroller: HTMLDivElement | null) => scrollTo(scroller, today), [today])
  return (
    <>
      {/* Keys scroll it where it is wider than the page. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div ref={showToday} className={styles.calendar} tabIndex={0} role="region" aria-label={label} aria-busy={isBusy}>
        <svg
          viewBox={`0 0 ${width} ${height}`}
          role="img"
          aria-label={label}
          onPointerOver={point}
          onPointerLeave={whenPointerLeaves(() => setShown(undefined))}
        >
          {monthsOf(cells).map(({ day, week }) => (
            <text key={day} x={left + week * step} y={9}>
              {text.month(day)}
            </text>
          ))}
          {namedDays.map((weekday) => (
            <text key={weekday} x={0} y={top + weekday * step + 9}>
              {text.weekday(`2024-01-0${weekday + 1}`)}
            </text>
          ))}
          {cells.map(({ day, week, weekday, level }) => (
            <rect
              key={day}
              className={styles.cell}
              data-day={day}
              data-level={level}
              x={left + week * step}
              y={top + weekday * step}
              width={size}
              height={size}
              rx={3}
            />
          ))}
        </svg>
      </div>
      <p className={chart.readout} aria-live="polite">
        {shown ? <CellText cell={shown} /> : t('calendarHint')}
      </p>
    </>
  )
}

const scrollTo = (scroller: HTMLElement | null, day: Day): void => {
  const cell = scroller?.querySelector(`[data-day='${day}']`)
  if (!scroller || !cell) return
  scroller.scrollLeft += Math.max(0, cell.getBoundingClientRect().right - scroller.getBoundingClientRect().right + step)
}

const levels: readonly Level[] = [0, 1, 2, 3, 4, 'unknown']

export const CalendarKey = (): ReactNode => {
  const { t } = useTranslation('statistics')
  return (
    <Row as="p" gap={4} rowGap={1} wrap className={styles.calendarKey}>
      {levels.map((level) => (
        <Row as="span" key={level} gap={1} inline>
          <svg viewBox="0 0 12 12" aria-hidden="true">
            <rect className={styles.cell} data-level={level} x={0.5} y={0.5} width={11} height={11} rx={2} />
          </svg>
          {t(`level.${level}`)}
        </Row>
      ))}
    </Row>
  )
}

const CellText = ({ cell: { day, read } }: { readonly cell: Cell }): ReactNode => {
  const { t } = useTranslation('statistics')
  const text = useFigureText()
  // The calendar does not say how many sessions of a single day had no time: a 0 beside a session means unknown.
  const gaps = { sessionsWithoutDuration: 1, sessionsWithoutPages: 1 }
  return (
    <>
      <strong>{text.day(day)}</strong>{' '}
      {read ? `${text.amount('time', amountOf(read, 'time', gaps))} · ${text.all(read)}` : t('nothingRecorded')}
    </>
  )
}
