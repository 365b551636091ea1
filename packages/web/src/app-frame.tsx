import { Outlet, useLocation, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ConnectionNotice } from './connection-notice.tsx'
import { AppLink } from './link.tsx'
import { useMe } from './me.ts'
import { paths } from './paths.ts'
import { Frame, type Place } from './ui/frame.tsx'
import { useShortcuts } from './ui/shortcuts.tsx'

/** The places of the app, for whoever is signed in. */
const usePlaces = (): readonly Place[] => {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const place = (to: string, icon: Place['icon'], label: string): Place => ({
    to,
    icon,
    label,
    isCurrent: to === '/' ? pathname === '/' : pathname.startsWith(to),
  })
  return [place(paths.home(), 'home', t('places.home'))]
}

const phonePlacesMax = 5

/** What stands around every page behind the sign-in. */
export const AppFrame = (): ReactNode => {
  const { t } = useTranslation()
  const router = useRouter()
  const places = usePlaces()
  const { username } = useMe()
  const goTo = (href: string) => (): void => void router.navigate({ href })
  useShortcuts(t('shortcuts.everywhere'), [{ keys: 'g h', label: t('shortcuts.home'), run: goTo(paths.home()) }])
  return (
    <Frame
      link={AppLink}
      places={places}
      phonePlaces={places.slice(0, phonePlacesMax)}
      foot={username}
      notice={<ConnectionNotice />}
    >
      <Outlet />
    </Frame>
  )
}
