import { useCanGoBack, useLocation, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ActivityButton } from './activity-button.tsx'
import { AppLink } from '../navigation/link.tsx'
import { paths } from '../navigation/paths.ts'
import { NotificationBell } from './notification-bell.tsx'
import { isAt } from './destinations.tsx'
import { SearchBox } from './search-box.tsx'
import { Emblem } from '../ui/emblem.tsx'
import { Icon } from '../ui/icon.tsx'
import { Center, Row } from '../ui/layout/layout.tsx'
import styles from './top-bar.module.css'

/** It lies over the top of every page: the search, what runs, what is new; on phones the way back, too. */
export const TopBar = (): ReactNode => {
  const { pathname } = useLocation()
  return (
    <>
      <PhoneStart />
      <Row grow className={styles.search} data-is-search-page={isAt(pathname, paths.search()) || undefined}>
        <SearchBox />
      </Row>
      <ActivityButton />
      <NotificationBell />
    </>
  )
}

/** The places that the bar at the bottom of a phone leads to: from there one goes nowhere back. */
const roots: readonly string[] = [paths.home(), paths.search(), paths.wantToRead(), paths.seriesList()]

/** The word where one begins, elsewhere the way back. */
const PhoneStart = (): ReactNode => {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const router = useRouter()
  const canGoBack = useCanGoBack()
  if (pathname === paths.search()) return null
  if (roots.includes(pathname)) {
    return (
      <nav className={styles.start} aria-label={t('places.home')}>
        <Row as={AppLink} gap={2} to={paths.home()} className={styles.word}>
          <Emblem />
          Carrel
        </Row>
      </nav>
    )
  }
  const label = t('back')
  return (
    <nav className={styles.start} aria-label={label}>
      {canGoBack ? (
        <Center
          as="button"
          type="button"
          className={styles.back}
          aria-label={label}
          title={label}
          onClick={() => router.history.back()}
        >
          <Icon name="back" />
        </Center>
      ) : (
        <Center as={AppLink} to={paths.home()} className={styles.back} aria-label={t('page.toHome')}>
          <Icon name="back" />
        </Center>
      )}
    </nav>
  )
}
