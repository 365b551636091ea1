import { Outlet, useLocation, useRouter } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { ConnectionNotice } from './connection-notice.tsx'
import { ItemMenus } from '../lists/menu/item-menus.tsx'
import { AppLink } from '../navigation/link.tsx'
import { noteLibrary } from './last-library.ts'
import { phoneLinks } from './navigation-links.ts'
import { openPalette } from './open-palette.ts'
import { paths } from '../navigation/paths.ts'
import { isAt, useLibraries, useLibraryOfPhone, useDestinations } from './destinations.tsx'
import { ServerProblems } from './server-problems.tsx'
import { useMay } from '../session/me.ts'
import { SideFoot, SideGroups } from './side.tsx'
import { TopBar } from './top-bar.tsx'
import { YouButton } from './you-button.tsx'
import { Frame, type NavItem } from '../ui/layout/frame.tsx'
import { useShortcuts } from '../ui/keyboard/shortcuts.tsx'
import { useIsPainted } from '../ui/state/first-paint.ts'

// Nobody drags what they do not see yet, and a page of which nothing can be dragged is a page all the same.
const DroppedBooks = lazy(() =>
  import('../lists/dragging/dropped-books.tsx').then(
    ({ DroppedBooks: dropped }) => ({ default: dropped }),
    () => ({ default: () => null }),
  ),
)

/** What a thumb reaches: home, the library that was open last, the search, and what one wants to read. */
const usePhoneItems = (): readonly NavItem[] => {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const library = useLibraryOfPhone(useLibraries())
  const item = (key: keyof typeof phoneLinks, icon: NavItem['icon']): NavItem => {
    const to = phoneLinks[key]
    return { to, icon, label: t(`phonePlaces.${key}`), isCurrent: isAt(pathname, to) }
  }
  return [
    item('home', 'home'),
    library,
    { ...item('search', 'search'), open: openPalette },
    item('wantToRead', 'heart'),
  ]
}

/** It frames every page behind the sign-in. */
export const AppFrame = (): ReactNode => {
  const { t } = useTranslation()
  const router = useRouter()
  const { pathname } = useLocation()
  const items = useDestinations()
  const phoneItems = usePhoneItems()
  const mayArrange = useMay('series:write')
  const isPainted = useIsPainted()
  const recommended = items.find(({ to }) => to === paths.recommendations())
  const goTo = (href: string) => (): void => void router.navigate({ href })
  useEffect(() => noteLibrary(pathname), [pathname])
  useShortcuts(t('shortcuts.everywhere'), [
    { keys: 'g h', label: t('shortcuts.home'), run: goTo(paths.home()) },
    { keys: 'g l', label: t('shortcuts.libraries'), run: goTo(paths.libraries()) },
    { keys: 'g s', label: t('shortcuts.series'), run: goTo(paths.seriesList()) },
    { keys: 'g b', label: t('shortcuts.books'), run: goTo(paths.bookList()) },
    { keys: 'g t', label: t('shortcuts.statistics'), run: goTo(paths.statistics()) },
    ...(recommended ? [{ keys: 'g r', label: t('shortcuts.recommendations'), run: goTo(recommended.to) }] : []),
  ])
  return (
    <Frame
      link={AppLink}
      items={items}
      groups={<SideGroups />}
      foot={<SideFoot />}
      phoneItems={phoneItems}
      phoneMore={<YouButton isCurrent={!phoneItems.some(({ isCurrent }) => isCurrent)} />}
      top={<TopBar />}
      notice={<ConnectionNotice />}
    >
      <ServerProblems />
      <Outlet />
      <Suspense>{mayArrange && isPainted ? <DroppedBooks /> : null}</Suspense>
      <ItemMenus />
    </Frame>
  )
}
