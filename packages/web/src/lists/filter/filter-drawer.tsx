import { Button } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Drawer } from '../../ui/dialog/drawer.tsx'
import { Sheet } from '../../ui/dialog/sheet.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Center, Row } from '../../ui/layout/layout.tsx'
import type { Kind } from '../kinds.ts'
import type { ListSearch } from '../search/list-search.ts'
import type { Scope } from '../search/sources.ts'
import { useListView } from '../search/use-list-view.ts'
import styles from './filter-drawer.module.css'
import type { FilterPanel as Panel } from './filter-panel.tsx'
import { isFiltered, noFilters } from './filters.ts'
import type { FilterDrawer as DrawerState } from './use-filter-drawer.ts'

// What is loaded later forgets that it is the same kind throughout.
const FilterPanel = lazy(async () => ({
  default: (await import('./filter-panel.tsx')).FilterPanel,
})) as unknown as typeof Panel

interface FilterDrawerProps<K extends Kind> {
  readonly kind: K
  readonly search: ListSearch<K>
  readonly scope: Scope
  readonly total: number | undefined
  readonly drawer: DrawerState
}

/** Every choice counts at once, and is seen: the list stands beside it. */
export const FilterDrawer = <K extends Kind>({ drawer, total, ...list }: FilterDrawerProps<K>): ReactNode => {
  const { t } = useTranslation('lists')
  const { isOpen, position, close } = drawer
  const panel = (
    <Suspense>
      <FilterPanel {...list} />
    </Suspense>
  )
  if (position === 'beside') return isOpen ? <Beside {...list} drawer={drawer} panel={panel} /> : null
  const clear = <ClearAll {...list} />
  if (position === 'over')
    return (
      <Drawer title={t('filter')} isOpen={isOpen} onClose={close} isClear>
        {clear}
        {panel}
      </Drawer>
    )
  return (
    <Sheet title={t('filter')} isOpen={isOpen} onClose={close} isTall>
      {clear}
      {panel}
      <div className={styles.end}>
        <Button fullWidth size="md" radius="xl" onClick={close}>
          {total === undefined ? t('show') : t(list.kind === 'series' ? 'showSeries' : 'showBooks', { count: total })}
        </Button>
      </div>
    </Sheet>
  )
}

interface BesideProps<K extends Kind> extends Omit<FilterDrawerProps<K>, 'total'> {
  readonly panel: ReactNode
}

const Beside = <K extends Kind>({ drawer, panel, ...list }: BesideProps<K>): ReactNode => {
  const { t } = useTranslation('lists')
  const { isNew, close } = drawer
  const heading = useRef<HTMLHeadingElement>(null)
  const closesOnEscape = useCallback(
    (section: HTMLElement | null) => {
      const press = (event: KeyboardEvent): void => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        close()
      }
      section?.addEventListener('keydown', press)
      return () => section?.removeEventListener('keydown', press)
    },
    [close],
  )
  useEffect(() => {
    if (isNew) heading.current?.focus({ preventScroll: true })
  }, [isNew])
  return (
    <section className={styles.drawer} aria-label={t('filter')} ref={closesOnEscape}>
      <Row as="header" gap={2} className={styles.head}>
        <h2 className={styles.title} ref={heading} tabIndex={-1}>
          {t('filter')}
        </h2>
        <ClearAll {...list} />
        <Center as="button" type="button" className={styles.close} aria-label={t('closeFilter')} onClick={close}>
          <Icon name="close" size="small" />
        </Center>
      </Row>
      {panel}
    </section>
  )
}

const ClearAll = <K extends Kind>({ kind, search }: Pick<FilterDrawerProps<K>, 'kind' | 'search'>): ReactNode => {
  const { t } = useTranslation('lists')
  const go = useListView(kind)
  return isFiltered(search.filters) ? (
    <button type="button" className={styles.clear} onClick={() => go({ ...search, filters: noFilters })}>
      {t('clearAll')}
    </button>
  ) : null
}
