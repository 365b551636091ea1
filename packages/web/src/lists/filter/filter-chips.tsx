import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../ui/icon.tsx'
import { Row } from '../../ui/layout/layout.tsx'
import { choicesOf, filtersOfKind, isFiltered, noFilters, toggled } from './filters.ts'
import styles from './filters.module.css'
import type { Kind } from '../kinds.ts'
import type { ListSearch } from '../search/list-search.ts'
import { useFilterWords } from './use-filter-words.ts'
import { useListView } from '../search/use-list-view.ts'

interface FilterChipsProps<K extends Kind> {
  readonly kind: K
  readonly search: ListSearch<K>
}

/** Each chip is a filter in use; a click removes it. */
export const FilterChips = <K extends Kind>({ kind, search }: FilterChipsProps<K>): ReactNode => {
  const { t } = useTranslation('lists')
  const words = useFilterWords()
  const go = useListView(kind)
  const { filters } = search
  if (!isFiltered(filters)) return null
  const chips = filtersOfKind(kind).flatMap((name) =>
    choicesOf(filters, name).map((choice) => ({
      key: `${name} ${choice.value}`,
      label: t(choice.not ? 'chipNot' : 'chip', { name: words.name(name), value: words.value(name, choice.value) }),
      short: choice.not ? `${t('not')} ${words.value(name, choice.value)}` : words.value(name, choice.value),
      isNot: choice.not,
      next: toggled(filters, name, choice),
    })),
  )
  const { years, text } = filters
  const others = [
    years && {
      key: 'years',
      label: t('chip', { name: t('filters.year'), value: `${years.from ?? '…'} – ${years.to ?? '…'}` }),
      next: { ...filters, years: undefined },
    },
    text === undefined ? undefined : { key: 'text', label: `“${text}”`, next: { ...filters, text: undefined } },
  ].filter((each) => each !== undefined)
  return (
    <Row as="ul" gap={2} align="stretch" wrap aria-label={t('activeFilters')}>
      {[...chips, ...others].map(({ key, label, next, ...chip }) => (
        <li key={key}>
          <Row
            as="button"
            gap={1}
            inline
            type="button"
            className={styles.chip}
            data-is-not={'isNot' in chip && chip.isNot}
            aria-label={t('takeAway', { filter: label })}
            onClick={() => go({ ...search, filters: next })}
          >
            <span dir="auto">{'short' in chip ? chip.short : label}</span>
            <Icon name="close" size="small" />
          </Row>
        </li>
      ))}
      <li>
        <button type="button" className={styles.clear} onClick={() => go({ ...search, filters: noFilters })}>
          {t('clearFilters')}
        </button>
      </li>
    </Row>
  )
}
