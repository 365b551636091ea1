import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Row } from '../../ui/layout/layout.tsx'
import type { Kind } from '../kinds.ts'
import type { ListSearch } from '../search/list-search.ts'
import { useListView } from '../search/use-list-view.ts'
import { choicesOf, toggled, without } from './filters.ts'
import styles from './filters.module.css'

const states = ['unread', 'in_progress', 'read'] as const

/** By what somebody has read themselves: any of the states, or all. */
export const ReadFilter = <K extends Kind>({
  kind,
  search,
}: {
  readonly kind: K
  readonly search: ListSearch<K>
}): ReactNode => {
  const { t } = useTranslation('lists')
  const go = useListView(kind)
  const { filters } = search
  const chosen = choicesOf(filters, 'read')
  return (
    <section className={styles.section} aria-labelledby="filter-read">
      <h3 className={styles.name} id="filter-read">
        {t('yourReading')}
      </h3>
      <Row className={styles.segments} align="stretch" role="group" aria-labelledby="filter-read">
        <button
          type="button"
          aria-pressed={chosen.length === 0}
          onClick={() => go({ ...search, filters: without(filters, 'read') })}
        >
          {t('readStatus.any')}
        </button>
        {states.map((value) => (
          <button
            key={value}
            type="button"
            aria-pressed={chosen.some((choice) => choice.value === value && !choice.not)}
            onClick={() => go({ ...search, filters: toggled(filters, 'read', { value, not: false }) })}
          >
            {t(`readStatus.${value}`)}
          </button>
        ))}
      </Row>
    </section>
  )
}
