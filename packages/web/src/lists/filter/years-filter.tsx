import { NumberInput } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Columns } from '../../ui/layout/layout.tsx'
import type { Kind } from '../kinds.ts'
import type { ListSearch } from '../search/list-search.ts'
import styles from './filters.module.css'

interface YearsFilterProps<K extends Kind> {
  readonly search: ListSearch<K>
  readonly onChange: (next: ListSearch<K>) => void
}

/** The range runs from one year to another; either end may be open. */
export const YearsFilter = <K extends Kind>({ search, onChange }: YearsFilterProps<K>): ReactNode => {
  const { t } = useTranslation('lists')
  const { years } = search.filters
  const set = (end: 'from' | 'to', value: number | string): void => {
    const year = typeof value === 'number' ? value : undefined
    const next = { ...years, [end]: year }
    const isOpen = next.from === undefined && next.to === undefined
    onChange({ ...search, filters: { ...search.filters, years: isOpen ? undefined : next } })
  }
  return (
    <Columns as="fieldset" gap={3} className={styles.years}>
      <legend>{t('filters.year')}</legend>
      {(['from', 'to'] as const).map((end) => (
        <NumberInput
          key={end}
          label={t(end === 'from' ? 'yearFrom' : 'yearTo')}
          value={years?.[end] ?? ''}
          min={0}
          max={9999}
          allowDecimal={false}
          hideControls
          onChange={(value) => set(end, value)}
        />
      ))}
    </Columns>
  )
}
