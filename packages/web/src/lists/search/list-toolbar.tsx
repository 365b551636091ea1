import { ActionIcon, NativeSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../ui/icon.tsx'
import { Row, Text } from '../../ui/layout/layout.tsx'
import { FilterButton } from '../filter/filter-button.tsx'
import type { FilterDrawer } from '../filter/use-filter-drawer.ts'
import { ColumnMenu } from '../item/column-menu.tsx'
import { useItemText } from '../item/item-text.ts'
import type { Kind } from '../kinds.ts'
import styles from './list-toolbar.module.css'
import { type ListSearch, type Order, orders, type Sorting, usualSorting } from './list-search.ts'
import { PresetMenu } from './preset-menu.tsx'
import type { Scope } from './sources.ts'
import { cardWidths, useCardSize } from '../pages/use-card-size.ts'
import { useListView } from './use-list-view.ts'

interface ToolbarProps<K extends Kind> {
  readonly kind: K
  readonly search: ListSearch<K>
  readonly scope: Scope
  readonly total: number | undefined
  readonly onSelect: () => void
  readonly drawer: FilterDrawer
}

/** The toolbar stands above a list: it shows the count, the order and the view. */
export const ListToolbar = <K extends Kind>({
  kind,
  search,
  scope,
  total,
  onSelect,
  drawer,
}: ToolbarProps<K>): ReactNode => {
  const { t } = useTranslation('lists')
  const text = useItemText()
  const go = useListView(kind)
  const isTable = search.layout === 'table'
  return (
    <Row gap={2} wrap className={styles.bar} role="group" aria-label={t('toolbar')}>
      <Text quiet className={styles.total}>
        {total === undefined ? '\u00A0' : text.count(kind, total)}
      </Text>
      <FilterButton filters={search.filters} drawer={drawer} />
      <PresetMenu kind={kind} search={search} scope={scope} />
      <SortControls kind={kind} search={search} scope={scope} />
      <Row gap={1} align="stretch" className={styles.view}>
        <ActionIcon
          variant="default"
          className={styles.icon ?? ''}
          aria-label={t(isTable ? 'asGrid' : 'asTable')}
          title={t(isTable ? 'asGrid' : 'asTable')}
          onClick={() => go({ ...search, layout: isTable ? 'grid' : 'table' })}
        >
          <Icon name={isTable ? 'grid' : 'table'} size="small" />
        </ActionIcon>
        <ActionIcon
          variant="default"
          className={styles.icon ?? ''}
          aria-label={t('select')}
          title={t('select')}
          onClick={onSelect}
        >
          <Icon name="check" size="small" />
        </ActionIcon>
      </Row>
      {isTable ? <ColumnMenu kind={kind} /> : <SizeSlider />}
    </Row>
  )
}

const SortControls = <K extends Kind>({
  kind,
  search,
  scope,
}: Pick<ToolbarProps<K>, 'kind' | 'search' | 'scope'>): ReactNode => {
  const { t } = useTranslation('lists')
  const go = useListView(kind)
  const usual = usualSorting<K>(search.filters, scope)
  const sorting = search.sorting ?? usual
  const all = Object.entries(orders[kind]) as [Order<K>, { first: 'asc' | 'desc' }][]
  const sortBy = (next: Sorting<K> | undefined): void => {
    const isUsual = next?.order === usual?.order && next?.isDown === usual?.isDown
    go({ ...search, sorting: isUsual ? undefined : next })
  }
  return (
    <Row gap={1} align="stretch">
      <NativeSelect
        aria-label={t('sortBy')}
        value={sorting?.order ?? ''}
        data={[
          ...(usual === undefined ? [{ value: '', label: t('order.match') }] : []),
          ...all.map(([order]) => ({ value: order, label: t(`order.${order as 'name'}`) })),
        ]}
        onChange={({ currentTarget }) => {
          const chosen = all.find(([order]) => order === currentTarget.value)
          sortBy(chosen && { order: chosen[0], isDown: chosen[1].first === 'desc' })
        }}
      />
      <ActionIcon
        variant="default"
        className={styles.icon ?? ''}
        aria-label={t(sorting?.isDown === false ? 'ascending' : 'descending')}
        disabled={sorting === undefined}
        onClick={() => sortBy(sorting && { ...sorting, isDown: !sorting.isDown })}
      >
        <Icon name={sorting?.isDown === false ? 'up' : 'down'} size="small" />
      </ActionIcon>
    </Row>
  )
}

export const SizeSlider = (): ReactNode => {
  const { t } = useTranslation('lists')
  const [size, setSize] = useCardSize()
  return (
    <input
      type="range"
      className={styles.size}
      aria-label={t('coverSize')}
      min={0}
      max={cardWidths.length - 1}
      value={size}
      onChange={({ currentTarget }) => setSize(Number(currentTarget.value))}
    />
  )
}
