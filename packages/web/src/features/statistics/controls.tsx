import { NativeSelect, SegmentedControl } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Row } from '../../ui/layout/layout.tsx'
import styles from './statistics.module.css'
import type { View } from './use-view.ts'
import { measures, rollingWindows } from './search.ts'
import { granularitiesOf, yearsToChoose } from './windows.ts'

/** The controls choose the window, its granularity, and whose reading is shown. All of it stands in the address. */
export const Controls = ({ view }: { readonly view: View }): ReactNode => {
  const { t } = useTranslation('statistics')
  const { word, days, granularity, measure, first, today, go } = view
  const years = yearsToChoose(first, today)
  // A link may name a year in which nothing was read.
  const allYears = word.length === 4 && !years.includes(word) ? [word, ...years] : years
  return (
    <Row gap={3} align="end" wrap className={styles.controls}>
      <NativeSelect
        label={t('window')}
        value={word}
        data={[
          ...rollingWindows.map((value) => ({ value, label: t(`windows.${value}`) })),
          ...allYears.map((value) => ({ value, label: value })),
          { value: 'all', label: t('windows.all') },
        ]}
        onChange={({ currentTarget: { value } }) => go({ window: value, by: undefined, year: undefined })}
      />
      <NativeSelect
        label={t('by')}
        value={granularity}
        data={granularitiesOf(days).map((value) => ({ value, label: t(`pieces.${value}`) }))}
        onChange={({ currentTarget: { value } }) => go({ by: granularitiesOf(days).find((each) => each === value) })}
      />
      <SegmentedControl
        className={styles.measure ?? ''}
        aria-label={t('show')}
        value={measure}
        data={measures.map((value) => ({ value, label: t(`measure.${value}`) }))}
        onChange={(value) => go({ show: measures.find((each) => each === value) })}
      />
    </Row>
  )
}
