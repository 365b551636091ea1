import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../../ui/icon.tsx'
import { useShortcuts } from '../../ui/keyboard/shortcuts.tsx'
import { useItemText } from '../item/item-text.ts'
import { countFilters, type Filters } from './filters.ts'
import styles from './filters.module.css'
import type { FilterDrawer } from './use-filter-drawer.ts'

interface FilterButtonProps {
  readonly filters: Filters
  readonly drawer: FilterDrawer
}

/** It opens what a list can be narrowed by, and says how much it is narrowed. */
export const FilterButton = ({ filters, drawer }: FilterButtonProps): ReactNode => {
  const { t } = useTranslation('lists')
  const text = useItemText()
  const count = countFilters(filters)
  const { isOpen, open, close, button } = drawer
  useShortcuts(t('shortcuts.list'), [{ keys: 'f', label: t('filter'), run: open }])
  return (
    <Button
      ref={button}
      variant="default"
      className={styles.button ?? ''}
      leftSection={<Icon name="filter" size="small" />}
      aria-expanded={isOpen}
      onClick={isOpen ? close : open}
    >
      {t('filter')}
      {count === 0 ? null : <span className={styles.chosen}>{text.number(count)}</span>}
    </Button>
  )
}
