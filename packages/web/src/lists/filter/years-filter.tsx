import { NumberInput } from '@mantine/core'
import type { CSSProperties, ReactNode } from 'react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Columns, Row } from '../../ui/layout/layout.tsx'
import type { Kind } from '../kinds.ts'
import type { ListSearch } from '../search/list-search.ts'
import type { Scope } from '../search/sources.ts'
import { useListView } from '../search/use-list-view.ts'
import type { Years } from './filters.ts'
import styles from './filters.module.css'
import { useFacet } from './use-facet.ts'
import { barsOf, type YearBar } from './year-bars.ts'

interface YearsFilterProps<K extends Kind> {
  readonly kind: K
  readonly search: ListSearch<K>
  readonly scope: Scope
}

const ends = ['from', 'to'] as const

/** The range runs from one year to another; either end may be open. */
export const YearsFilter = <K extends Kind>({ kind, search, scope }: YearsFilterProps<K>): ReactNode => {
  const { t } = useTranslation('lists')
  const go = useListView(kind)
  const { years } = search.filters
  const counts = useFacet(kind, 'year', {
    search: { ...search, filters: { ...search.filters, years: undefined } },
    scope,
  })
  const bars = barsOf(counts ?? [])
  const become = (next: Years): void => {
    const isOpen = next.from === undefined && next.to === undefined
    go({ ...search, filters: { ...search.filters, years: isOpen ? undefined : next } })
  }
  return (
    <section className={styles.section} aria-labelledby="filter-year">
      <h3 className={styles.name} id="filter-year">
        {t('filters.year')}
      </h3>
      {bars.length > 1 ? (
        <YearRange key={`${years?.from ?? ''} ${years?.to ?? ''}`} bars={bars} years={years} onChange={become} />
      ) : null}
      <Columns gap={3} className={styles.years} role="group" aria-labelledby="filter-year">
        {ends.map((end) => (
          <NumberInput
            key={end}
            label={t(end === 'from' ? 'yearFrom' : 'yearTo')}
            value={years?.[end] ?? ''}
            min={0}
            max={9999}
            allowDecimal={false}
            hideControls
            onChange={(value) => become({ ...years, [end]: typeof value === 'number' ? value : undefined })}
          />
        ))}
      </Columns>
    </section>
  )
}

interface YearRangeProps {
  readonly bars: readonly YearBar[]
  readonly years: Years | undefined
  readonly onChange: (years: Years) => void
}

/** How many there are of each year, and a knob for either end. */
const YearRange = ({ bars, years, onChange }: YearRangeProps): ReactNode => {
  const { t } = useTranslation('lists')
  const first = bars[0]?.from ?? 0
  const last = bars.at(-1)?.to ?? first
  const [range, setRange] = useState({ from: years?.from ?? first, to: years?.to ?? last })
  const most = Math.max(...bars.map(({ count }) => count))
  const isIn = ({ from, to }: YearBar): boolean => to >= range.from && from <= range.to
  const move = (end: 'from' | 'to', year: number): void =>
    setRange(
      end === 'from' ? { ...range, from: Math.min(year, range.to) } : { ...range, to: Math.max(year, range.from) },
    )
  const settle = (): void =>
    onChange({
      from: range.from > first ? range.from : undefined,
      to: range.to < last ? range.to : undefined,
    })
  return (
    <div className={styles.range}>
      <Row className={styles.bars} align="end" aria-hidden="true">
        {bars.map((bar) => (
          <i
            key={bar.from}
            data-is-in={isIn(bar)}
            style={{ '--share': bar.count === 0 ? 0 : Math.max(0.06, bar.count / most) } as CSSProperties}
          />
        ))}
      </Row>
      {ends.map((end) => (
        <input
          key={end}
          type="range"
          className={styles.knob}
          min={first}
          max={last}
          value={range[end]}
          aria-label={t(end === 'from' ? 'firstYear' : 'lastYear')}
          onChange={({ currentTarget }) => move(end, Number(currentTarget.value))}
          onPointerUp={settle}
          onKeyUp={settle}
        />
      ))}
    </div>
  )
}
