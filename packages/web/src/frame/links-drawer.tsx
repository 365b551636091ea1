import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AppLink } from '../navigation/link.tsx'
import styles from './more-links.module.css'
import { Drawer } from '../ui/dialog/drawer.tsx'
import type { NavItem } from '../ui/layout/frame.tsx'
import { Icon } from '../ui/icon.tsx'
import { Row, Stack } from '../ui/layout/layout.tsx'

interface LinksDrawerProps {
  readonly items: readonly NavItem[]
  readonly isOpen: boolean
  readonly onClose: () => void
}

export const LinksDrawer = ({ items, isOpen, onClose }: LinksDrawerProps): ReactNode => {
  const { t } = useTranslation()
  return (
    <Drawer title={t('morePlaces')} isOpen={isOpen} onClose={onClose}>
      <Stack as="ul" gap="hair">
        {items.map(({ to, label, icon, isCurrent }) => (
          <li key={to}>
            <Row
              as={AppLink}
              gap={3}
              to={to}
              className={styles.place}
              aria-current={isCurrent ? 'page' : undefined}
              onClick={onClose}
            >
              <Icon name={icon} />
              {label}
            </Row>
          </li>
        ))}
      </Stack>
    </Drawer>
  )
}
