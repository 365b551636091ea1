import type { ReadingYear } from '@carrel/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Columns } from '../../../ui/layout/layout.tsx'
import { useFigureText } from '../figure-text.ts'
import { FigureTable } from '../figure-table.tsx'
import { type Amount, amountOf, totalOf } from '../figures.ts'
import { Legend } from '../legend.tsx'
import { monthsOf } from './months.ts'
import { Panel } from './panel.tsx'
import styles from './year.module.css'

/** All twelve of them: a month without reading is an empty place. */
export const MonthsPanel = ({ year }: { readonly year: ReadingYear }): ReactNode => {
  const { t } = useTranslation('statistics')
  const text = useFigureText()
  const { summary } = year
  const months = monthsOf(year).map(({ month, figures }) => ({
    month,
    amount: figures === undefined ? nothing : amountOf(figures, 'time', summary),
  }))
  const best = months.toSorted((one, other) => totalOf(other.amount) - totalOf(one.amount))[0]
  const largest = best === undefined ? 0 : totalOf(best.amount)
  return (
    <Panel
      title={t('year.months')}
      text={
        best === undefined || largest === 0
          ? undefined
          : t('year.bestMonth', { month: text.monthName(best.month), time: text.time(largest) })
      }
    >
      <Columns gap={2} align="end" className={styles.months} aria-hidden="true">
        {months.map(({ month, amount }) => (
          <div key={month} className={styles.month} data-is-best={largest > 0 && month === best?.month}>
            <div className={styles.column}>
              <MonthBar amount={amount} largest={largest} />
            </div>
            <span className={styles.short}>{text.month(month)}</span>
            <span className={styles.letter}>{text.monthLetter(month)}</span>
          </div>
        ))}
      </Columns>
      <FigureTable
        of={t('piece.month')}
        caption={t('year.months')}
        summary={summary}
        rows={year.months.map((each) => ({ key: each.bucket, name: text.monthName(each.bucket), figures: each }))}
        before={<Legend amounts={months.map(({ amount }) => amount)} />}
      />
    </Panel>
  )
}

const nothing: Amount = { sure: 0, estimated: 0, isUnknown: false }

const MonthBar = ({ amount, largest }: { readonly amount: Amount; readonly largest: number }): ReactNode => {
  const { sure, estimated, isUnknown } = amount
  const share = (value: number): string => `${(value / Math.max(1, largest)) * 100}%`
  if (isUnknown) return <span className={styles.unknown} />
  return (
    <>
      {sure > 0 ? <span className={styles.sure} style={{ height: share(sure) }} /> : null}
      {estimated > 0 ? (
        <span className={styles.estimated} style={{ height: share(estimated), insetBlockEnd: share(sure) }} />
      ) : null}
    </>
  )
}
