import { Outlet, useLocation, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ConnectionNotice } from './connection-notice.tsx'
import { AppLink } from './link.tsx'
import { useMe } from './me.ts'
import { paths } from './paths.ts'
import { NotificationBell } from './notification-bell.tsx'
import { places } from './places.ts'
import { SearchBox } from './search-box.tsx'
import { Frame, type Place } from './ui/frame.tsx'
import { useShortcuts } from './ui/shortcuts.tsx'

const usePlaces = (onPhone: boolean): readonly Place[] => {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const { permissions } = useMe()
  return places
    .filter((place) => (place.needs === undefined || permissions.includes(place.needs)) && (!onPhone || place.onPhone))
    .map(({ key, to, icon }) => ({
      to,
      icon,
      label: t(`places.${key}`),
      isCurrent: to === '/' ? pathname === '/' : pathname === to || pathname.startsWith(`${to}/`),
    }))
}

/** What stands around every page behind the sign-in. */
export const AppFrame = (): ReactNode => {
  const { t } = useTranslation()
  const router = useRouter()
  const goTo = (href: string) => (): void => void router.navigate({ href })
  useShortcuts(t('shortcuts.everywhere'), [
    { keys: 'g h', label: t('shortcuts.home'), run: goTo(paths.home()) },
    { keys: 'g l', label: t('shortcuts.libraries'), run: goTo(paths.libraries()) },
    { keys: 'g s', label: t('shortcuts.series'), run: goTo(paths.seriesList()) },
    { keys: 'g b', label: t('shortcuts.books'), run: goTo(paths.bookList()) },
    { keys: 'g t', label: t('shortcuts.statistics'), run: goTo(paths.statistics()) },
  ])
  return (
    <Frame
      link={AppLink}
      places={usePlaces(false)}
      phonePlaces={usePlaces(true)}
      top={
        <>
          <SearchBox />
          <NotificationBell />
        </>
      }
      notice={<ConnectionNotice />}
    >
      <Outlet />
    </Frame>
  )
}
