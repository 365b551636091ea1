import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { type ComponentProps, memo, type ReactNode, useDeferredValue } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../ui/state/state.tsx'
import { Columns } from '../ui/layout/layout.tsx'
import { FilterChips } from './filter/filter-chips.tsx'
import { FilterDrawer } from './filter/filter-drawer.tsx'
import { isFiltered, noFilters } from './filter/filters.ts'
import type { GapCard } from './pages/gap-cards.ts'
import { ItemPages } from './pages/item-pages.tsx'
import type { ItemOf, Kind } from './kinds.ts'
import type { ListSearch } from './search/list-search.ts'
import { ListToolbar } from './search/list-toolbar.tsx'
import { SelectionBar } from './selection/selection-bar.tsx'
import { type Scope, sourceOf } from './search/sources.ts'
import { useListView } from './search/use-list-view.ts'
import { useFilterDrawer } from './filter/use-filter-drawer.ts'
import styles from './item-list.module.css'
import { type SelectionControl, useSelection } from './selection/use-selection.ts'

interface ItemListProps<K extends Kind> {
  readonly kind: K
  readonly search: ListSearch<K>
  readonly scope?: Scope
  /** Screen readers say which list this is. */
  readonly label: string
  /** It is shown when the list is empty. */
  readonly empty: ReactNode
  /** What is missing, in the order of the list: shown while the list is whole and in its own order. */
  readonly gaps?: readonly GapCard[]
}

const noGaps: readonly GapCard[] = []

/** Series or books, however many: to be narrowed, ordered, looked through and chosen from. */
export const ItemList = <K extends Kind>({
  kind,
  search,
  scope = {},
  label,
  empty,
  gaps = noGaps,
}: ItemListProps<K>): ReactNode => {
  const go = useListView(kind)
  const entry = useRouterState({ select: ({ location }) => location.state.key ?? location.href })
  const source = sourceOf(kind, search, scope)
  const first = useQuery({ ...source.page(1), placeholderData: keepPreviousData })
  const total = first.data?.body.total
  const selection = useSelection(source)
  const drawer = useFilterDrawer(scope)
  // Whoever narrows a list sees the choice taken at once, and the covers, which take longer to draw, a moment later.
  const view = useDeferredValue<ListView<K>>({
    entry,
    source,
    search,
    scope,
    label,
    gaps: search.sorting === undefined && !isFiltered(search.filters) ? gaps : noGaps,
    total: first.isPlaceholderData ? undefined : total,
    nothing: isFiltered(search.filters) ? <NoneMatch onClear={() => go({ ...search, filters: noFilters })} /> : empty,
  })
  return (
    <>
      <ListToolbar
        kind={kind}
        search={search}
        scope={scope}
        total={total}
        onSelect={() => selection.choose(true)}
        drawer={drawer}
      />
      <FilterChips kind={kind} search={search} />
      <Columns gap={5} className={styles.beside} data-is-open={drawer.isOpen && drawer.position === 'beside'}>
        <div className={styles.list}>
          <Listed kind={kind} view={view} selection={selection} />
        </div>
        <FilterDrawer kind={kind} search={search} scope={scope} total={total} drawer={drawer} />
      </Columns>
      <SelectionBar kind={kind} items={[...selection.items.values()]} selection={selection} total={total} />
    </>
  )
}

interface ListView<K extends Kind> extends Omit<ComponentProps<typeof ItemPages<K>>, 'kind' | 'selection'> {
  /** It says which entry of the browser's history this is: each has its own place in the list. */
  readonly entry: string
  /** It stands there when the list is empty. */
  readonly nothing: ReactNode
}

interface ListedProps<K extends Kind> {
  readonly kind: K
  readonly view: ListView<K>
  readonly selection: SelectionControl<ItemOf[K]>
}

const isDrawnAlike = (a: ListedProps<Kind>, b: ListedProps<Kind>): boolean =>
  a.view === b.view && a.selection.items === b.selection.items && a.selection.isChoosing === b.selection.isChoosing

const Listed = memo(<K extends Kind>({ kind, view, selection }: ListedProps<K>): ReactNode => {
  const { entry, nothing, ...list } = view
  if (list.total === 0) return nothing
  return <ItemPages key={`${entry} ${list.search.layout}`} kind={kind} selection={selection} {...list} />
}, isDrawnAlike) as <K extends Kind>(props: ListedProps<K>) => ReactNode

const NoneMatch = ({ onClear }: { readonly onClear: () => void }): ReactNode => {
  const { t } = useTranslation('lists')
  return (
    <EmptyState
      icon="filter"
      title={t('noneMatch')}
      text={t('noneMatchText')}
      action={
        <Button variant="default" onClick={onClear}>
          {t('clearFilters')}
        </Button>
      }
    />
  )
}
