import { useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AppLink } from '../navigation/link.tsx'
import { paths } from '../navigation/paths.ts'
import { useMe } from '../session/me.ts'
import { Drawer } from '../ui/dialog/drawer.tsx'
import { Icon } from '../ui/icon.tsx'
import type { NavItem } from '../ui/layout/frame.tsx'
import { Row, Stack } from '../ui/layout/layout.tsx'
import { accountLink, adminLink, phoneLinks } from './navigation-links.ts'
import { isAt, useLibraries, useLibraryDestinations, useMayAdminister, useDestinations } from './destinations.tsx'
import styles from './you-drawer.module.css'

interface YouDrawerProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** All places for which the bar of a phone has no room, and the libraries. */
export const YouDrawer = ({ isOpen, onClose }: YouDrawerProps): ReactNode => {
  const { t } = useTranslation()
  const { username } = useMe()
  const { pathname } = useLocation()
  const mayAdminister = useMayAdminister()
  const inBar: readonly string[] = Object.values(phoneLinks)
  const links = useDestinations().filter(({ to }) => !inBar.includes(to))
  const libraries = useLibraryDestinations(useLibraries())
  const own: readonly NavItem[] = [accountLink, ...(mayAdminister ? [adminLink] : [])].map(({ key, to, icon }) => ({
    to,
    icon,
    label: t(`places.${key}`),
    isCurrent: isAt(pathname, to),
  }))
  return (
    <Drawer title={username} isOpen={isOpen} onClose={onClose}>
      <Stack gap={5}>
        <Links items={[...own, ...links]} onLeave={onClose} />
        <Stack as="section" gap={1} aria-label={t('places.libraries')}>
          <AppLink to={paths.libraries()} className={styles.heading} onClick={onClose}>
            {t('places.libraries')}
          </AppLink>
          <Links items={libraries} onLeave={onClose} />
        </Stack>
      </Stack>
    </Drawer>
  )
}

interface LinksProps {
  readonly items: readonly NavItem[]
  readonly onLeave: () => void
}

const Links = ({ items, onLeave }: LinksProps): ReactNode => (
  <Stack as="ul" gap="hair">
    {items.map(({ to, label, icon, picture, count, isCurrent }) => (
      <li key={to}>
        <Row
          as={AppLink}
          gap={3}
          to={to}
          className={styles.place}
          aria-current={isCurrent ? 'page' : undefined}
          onClick={onLeave}
        >
          {picture ?? <Icon name={icon} />}
          {label}
          {count === undefined ? null : <span className={styles.count}>{count}</span>}
        </Row>
      </li>
    ))}
  </Stack>
)
