import { Outlet, useLocation, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ActivityButton } from './activity-button.tsx'
import { ConnectionNotice } from './connection-notice.tsx'
import { DroppedBooks } from '../lists/dragging/dropped-books.tsx'
import { ItemMenus } from '../lists/menu/item-menus.tsx'
import { AppLink } from '../navigation/link.tsx'
import { useMe } from '../session/me.ts'
import { MoreLinks } from './more-links.tsx'
import { paths } from '../navigation/paths.ts'
import { NotificationBell } from './notification-bell.tsx'
import { navigationLinks } from './navigation-links.ts'
import { useRecommenders } from './recommenders.ts'
import { SearchBox } from './search-box.tsx'
import { ServerProblems } from './server-problems.tsx'
import { Frame, type NavItem } from '../ui/layout/frame.tsx'
import { useShortcuts } from '../ui/keyboard/shortcuts.tsx'

const useNavItems = (onPhone: boolean): readonly NavItem[] => {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const { permissions } = useMe()
  const isRecommendedTo = useRecommenders().length > 0
  return navigationLinks
    .filter(({ needs }) => needs === undefined || needs.some((each) => permissions.includes(each)))
    .filter((link) => isRecommendedTo || !link.isRecommended)
    .filter((link) => !onPhone || link.onPhone)
    .map(({ key, to, icon }) => ({
      to,
      icon,
      label: t(`places.${key}`),
      isCurrent: to === '/' ? pathname === '/' : pathname === to || pathname.startsWith(`${to}/`),
    }))
}

/** It frames every page behind the sign-in. */
export const AppFrame = (): ReactNode => {
  const { t } = useTranslation()
  const router = useRouter()
  const all = useNavItems(false)
  const onPhone = useNavItems(true)
  const moreItems = all.filter(({ to }) => !onPhone.some((item) => item.to === to))
  const recommended = all.find(({ to }) => to === paths.recommendations())
  const goTo = (href: string) => (): void => void router.navigate({ href })
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
      items={all}
      phoneItems={onPhone}
      top={
        <>
          <SearchBox />
          <NotificationBell />
          <ActivityButton />
          <MoreLinks items={moreItems} />
        </>
      }
      notice={<ConnectionNotice />}
    >
      <ServerProblems />
      <Outlet />
      <DroppedBooks />
      <ItemMenus />
    </Frame>
  )
}
