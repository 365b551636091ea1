import { Outlet, useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AppLink } from '../../navigation/link.tsx'
import { useMe } from '../../session/me.ts'
import { paths } from '../../navigation/paths.ts'
import { Icon } from '../../ui/icon.tsx'
import { Columns, Row, Stack } from '../../ui/layout/layout.tsx'
import styles from './admin-frame.module.css'
import { adminMenu, entryOf } from './admin-menu.ts'

/**
 * It frames every page of the administration, with the menu at the side. Where there is no room for the menu, the
 * overview is the menu, and each page links back to it.
 */
export const AdminFrame = (): ReactNode => {
  const { t } = useTranslation('admin')
  const { pathname } = useLocation()
  const { permissions } = useMe()
  const current = entryOf(pathname)
  return (
    <Columns gap={6} align="start" className={styles.frame}>
      <nav className={styles.menu} aria-label={t('title')}>
        <Stack as="ul" gap="hair">
          {adminMenu
            .filter(({ permission }) => permissions.includes(permission))
            .map(({ path, label, icon }) => (
              <li key={path}>
                <Row
                  as={AppLink}
                  gap={2}
                  to={path}
                  className={styles.entry}
                  aria-current={path === current?.path ? 'page' : undefined}
                >
                  <Icon name={icon} size="small" />
                  <span>{t(`menu.${label}.name`)}</span>
                </Row>
              </li>
            ))}
        </Stack>
      </nav>
      <Stack gap={2} className={styles.page}>
        {pathname === paths.admin() ? null : (
          <Row as={AppLink} gap={1} inline to={paths.admin()} className={styles.back}>
            <Icon name="back" size="small" />
            {t('title')}
          </Row>
        )}
        <Outlet />
      </Stack>
    </Columns>
  )
}
