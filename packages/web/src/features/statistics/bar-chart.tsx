import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Row, Stack } from '../../ui/layout/layout.tsx'
import type { Amount } from './figures.ts'
import styles from './bar-chart.module.css'
import { ticksFor } from './ticks.ts'
import { whenPointerLeaves } from './when-pointer-leaves.ts'

interface Bar {
  readonly key: string
  readonly name: string
  readonly amount: Amount
  /** The text describes the bar. */
  readonly words: string
}

interface BarChartProps {
  readonly label: string
  readonly bars: readonly Bar[]
  readonly kind: 'time' | 'count'
  readonly valueText: (value: number) => string
}

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }

/** Bars of plain boxes: what is sure is full, what is an estimate is hatched, and what nobody knows is an empty box. */
export const BarChart = ({ label, bars, kind, valueText }: BarChartProps): ReactNode => {
  const { t, i18n } = useTranslation('statistics')
  const [position, setPosition] = useState<number>()
  const largest = Math.max(0, ...bars.map(({ amount }) => amount.sure + amount.estimated))
  const ticks = ticksFor(largest, kind)
  const top = ticks.at(-1) ?? 1
  const shown = position === undefined ? undefined : bars[position]
  const onKeyDown = (event: KeyboardEvent): void => {
    const toTheRight = steps[event.key]
    if (toTheRight === undefined) return
    // The bars follow each other as words do.
    const step = event.key.startsWith('Arrow') && i18n.dir() === 'rtl' ? -toTheRight : toTheRight
    event.preventDefault()
    setPosition(Math.max(0, Math.min(bars.length - 1, (position ?? bars.length) + step)))
  }
  return (
    <Stack gap={2}>
      <div className={styles.picture}>
        <div className={styles.lines} aria-hidden="true">
          {ticks.map((tick) => (
            <span key={tick} className={styles.line} style={{ bottom: `${(tick / top) * 100}%` }}>
              {valueText(tick)}
            </span>
          ))}
        </div>
        {/* Arrow keys go through the picture bar by bar; the figures of a bar stand below it. */}
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
        <div
          className={styles.bars}
          role="group"
          aria-label={t('chartLabel', { label })}
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
          tabIndex={0}
          onKeyDown={onKeyDown}
          onPointerLeave={whenPointerLeaves(() => setPosition(undefined))}
          onBlur={() => setPosition(undefined)}
        >
          {bars.map((bar, index) => (
            <Column key={bar.key} bar={bar} top={top} isShown={index === position} onPoint={() => setPosition(index)} />
          ))}
        </div>
      </div>
      <Row gap={3} align="stretch" justify="between" className={styles.ends} aria-hidden="true">
        <span>{bars[0]?.name}</span>
        <span>{bars.length > 1 ? bars.at(-1)?.name : null}</span>
      </Row>
      <p className={styles.readout} aria-live="polite">
        {shown ? (
          <>
            <strong>{shown.name}</strong> {shown.words}
          </>
        ) : (
          t('chartHint')
        )}
      </p>
    </Stack>
  )
}

interface ColumnProps {
  readonly bar: Bar
  readonly top: number
  readonly isShown: boolean
  readonly onPoint: () => void
}

const Column = ({ bar, top, isShown, onPoint }: ColumnProps): ReactNode => {
  const { sure, estimated, isUnknown } = bar.amount
  return (
    <div className={styles.column} data-is-shown={isShown} onPointerEnter={onPoint} onPointerDown={onPoint}>
      {isUnknown ? <div className={styles.unknown} /> : null}
      {estimated > 0 ? <div className={styles.estimated} style={{ height: `${(estimated / top) * 100}%` }} /> : null}
      {sure > 0 ? <div className={styles.sure} style={{ height: `${(sure / top) * 100}%` }} /> : null}
    </div>
  )
}
