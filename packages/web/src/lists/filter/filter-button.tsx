import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useShortcuts } from '../../ui/keyboard/shortcuts.tsx'
import { commonFilters, FilterSection } from './filter-section.tsx'
import { filtersOfKind, isFiltered, noFilters } from './filters.ts'
import type { Kind } from '../kinds.ts'
import type { ListSearch } from '../search/list-search.ts'
import styles from './filters.module.css'
import type { Scope } from '../search/sources.ts'
import { useListView } from '../search/use-list-view.ts'
import { YearsFilter } from './years-filter.tsx'

interface FilterButtonProps<K extends Kind> {
  readonly kind: K
  readonly search: ListSearch<K>
  readonly scope: Scope
  readonly total: number | undefined
}

/** It opens what a list can be narrowed by; every choice counts at once, behind the window. */
export const FilterButton = <K extends Kind>({ kind, search, scope, total }: FilterButtonProps<K>): ReactNode => {
  const { t } = useTranslation('lists')
  const [isOpen, setOpen] = useState(false)
  const go = useListView(kind)
  const names = filtersOfKind(kind).filter((name) => name !== 'library' || scope.libraryId === undefined)
  const inSeries = scope.seriesId !== undefined
  useShortcuts(t('shortcuts.list'), [{ keys: 'f', label: t('filter'), run: () => setOpen(true) }])
  return (
    <>
      <Button
        variant="default"
        className={styles.button ?? ''}
        leftSection={<Icon name="filter" size="small" />}
        onClick={() => setOpen(true)}
      >
        {t('filter')}
      </Button>
      <Dialog
        title={t('filter')}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        size="lg"
        actions={
          <>
            {isFiltered(search.filters) ? (
              <Button variant="default" onClick={() => go({ ...search, filters: noFilters })}>
                {t('clearFilters')}
              </Button>
            ) : null}
            <Button onClick={() => setOpen(false)}>
              {total === undefined ? t('show') : t(kind === 'series' ? 'showSeries' : 'showBooks', { count: total })}
            </Button>
          </>
        }
      >
        {names
          .filter((name) => !inSeries || name !== 'library')
          .toSorted((one, other) => Number(commonFilters.has(other)) - Number(commonFilters.has(one)))
          .map((name) => (
            <FilterSection key={name} kind={kind} name={name} search={search} scope={scope} />
          ))}
        {kind === 'series' ? <YearsFilter search={search} onChange={go} /> : null}
      </Dialog>
    </>
  )
}
