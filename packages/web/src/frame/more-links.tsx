import { ActionIcon } from '@mantine/core'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './more-links.module.css'
import type { NavItem } from '../ui/layout/frame.tsx'
import { Icon } from '../ui/icon.tsx'

const LinksDrawer = lazy(async () => ({ default: (await import('./links-drawer.tsx')).LinksDrawer }))

/** On phones this menu holds the links for which the bar at the bottom has no room. */
export const MoreLinks = ({ items }: { readonly items: readonly NavItem[] }): ReactNode => {
  const { t } = useTranslation()
  const [isOpen, setIsOpen] = useState<boolean>()
  if (items.length === 0) return null
  return (
    <div className={styles.more}>
      <ActionIcon
        variant="default"
        className={styles.button ?? ''}
        aria-label={t('morePlaces')}
        title={t('morePlaces')}
        onClick={() => setIsOpen(true)}
      >
        <Icon name="menu" />
      </ActionIcon>
      {isOpen === undefined ? null : (
        <Suspense>
          <LinksDrawer items={items} isOpen={isOpen} onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </div>
  )
}
