import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FindField } from '../../ui/form/find-field.tsx'
import type { Kind } from '../kinds.ts'
import type { ListSearch } from '../search/list-search.ts'
import type { Scope } from '../search/sources.ts'
import { commonFilters, FilterSection } from './filter-section.tsx'
import { filtersOfKind, type FilterName } from './filters.ts'
import styles from './filters.module.css'
import { ReadFilter } from './read-filter.tsx'
import { useAreCounted } from './use-facet.ts'
import { YearsFilter } from './years-filter.tsx'

interface FilterPanelProps<K extends Kind> {
  readonly kind: K
  readonly search: ListSearch<K>
  readonly scope: Scope
}

/** Most lists are narrowed by the first of these. */
const inOrder: readonly FilterName[] = [
  'genre',
  'status',
  'language',
  'person',
  'tag',
  'format',
  'library',
  'publisher',
  'type',
]

/** All that a list can be narrowed by; what is written on top is looked for in all of it. */
export const FilterPanel = <K extends Kind>({ kind, search, scope }: FilterPanelProps<K>): ReactNode => {
  const { t } = useTranslation('lists')
  const [typed, setTyped] = useState('')
  const isAcross = scope.libraryId === undefined && scope.seriesId === undefined
  const names = inOrder.filter((name) => filtersOfKind(kind).includes(name) && (name !== 'library' || isAcross))
  const counted: readonly (FilterName | 'years')[] = kind === 'series' ? ['genre', 'status', 'years'] : ['genre']
  const isReady = useAreCounted(kind, counted, { search, scope })
  const isFinding = typed.trim() !== ''
  if (!isReady) return null
  const sectionOf = (name: FilterName): ReactNode => (
    <FilterSection key={name} kind={kind} name={name} search={search} scope={scope} typed={typed.trim()} />
  )
  return (
    <>
      <FindField label={t('findFilter')} className={styles.find} value={typed} onChange={setTyped} />
      {isFinding ? null : <ReadFilter kind={kind} search={search} />}
      {names.filter((name) => commonFilters.has(name)).map(sectionOf)}
      {kind === 'series' && !isFinding ? <YearsFilter kind={kind} search={search} scope={scope} /> : null}
      {names.filter((name) => !commonFilters.has(name)).map(sectionOf)}
    </>
  )
}
