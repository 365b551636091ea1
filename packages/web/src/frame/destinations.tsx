import { glanceAtLibraries, type LibraryAtAGlance } from '@carrel/api'
import { useLocation } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useLater } from '../api/queries.ts'
import { seriesCover } from '../lists/item/addresses.ts'
import { useMay, useMe } from '../session/me.ts'
import { paths } from '../navigation/paths.ts'
import { CoverStack } from '../ui/cover/cover-stack.tsx'
import type { NavItem } from '../ui/layout/frame.tsx'
import { adminLink, navigationLinks } from './navigation-links.ts'
import { lastLibrary } from './last-library.ts'
import { useRecommenders } from './recommenders.ts'
import { numberFormat } from '../text/formats.ts'

/** All places but libraries, account and administration, as far as this user may go there. */
export const useDestinations = (): readonly NavItem[] => {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const { permissions } = useMe()
  const isRecommendedTo = useRecommenders().length > 0
  return navigationLinks
    .filter(({ needs }) => needs === undefined || needs.some((each) => permissions.includes(each)))
    .filter((link) => isRecommendedTo || !link.isRecommended)
    .map(({ key, to, icon }) => ({ to, icon, label: t(`places.${key}`), isCurrent: isAt(pathname, to) }))
}

/** A page is at its place when its address begins like that of the place. */
export const isAt = (pathname: string, to: string): boolean =>
  to === '/' ? pathname === '/' : pathname === to || pathname.startsWith(`${to}/`)

export const useMayAdminister = (): boolean => {
  const { permissions } = useMe()
  return adminLink.needs.some((each) => permissions.includes(each))
}

const none: readonly LibraryAtAGlance[] = []

/** The frame has loaded them before it is shown. */
export const useLibraries = (): readonly LibraryAtAGlance[] => {
  const { data } = useLater(glanceAtLibraries, {}, { enabled: useMay('libraries:read') })
  return data?.libraries ?? none
}

/** Everything first, then each library with two of its covers. */
export const useLibraryDestinations = (libraries: readonly LibraryAtAGlance[]): readonly NavItem[] => {
  const { t, i18n } = useTranslation()
  const { pathname } = useLocation()
  const format = numberFormat(i18n.resolvedLanguage, { notation: 'compact', maximumFractionDigits: 0 })
  const all = numberFormat(i18n.resolvedLanguage)
  const number = (value: number): string => (value < 100_000 ? all : format).format(value)
  const everything: NavItem = {
    to: paths.seriesList(),
    icon: 'series',
    label: t('places.everything'),
    isCurrent: pathname === paths.seriesList() || pathname === paths.bookList(),
    ...(libraries.length > 0 && { count: number(libraries.reduce((sum, { bookCount }) => sum + bookCount, 0)) }),
  }
  return [
    everything,
    ...libraries.map(({ id, name, bookCount, covers }): NavItem => ({
      to: paths.library(id),
      icon: 'library',
      label: name,
      isCurrent: isAt(pathname, paths.library(id)),
      count: number(bookCount),
      ...(covers.length > 0 && {
        picture: <CoverStack covers={covers.slice(0, 2).map((cover) => coverOf(cover))} />,
      }),
    })),
  ]
}

const coverOf = ({ seriesId, coverVersion }: LibraryAtAGlance['covers'][number]): string =>
  seriesCover({ id: seriesId, coverVersion })

/** Where "Library" leads on a phone: to the one that was open last, as long as it is there. */
export const useLibraryOfPhone = (libraries: readonly LibraryAtAGlance[]): NavItem => {
  const { t } = useTranslation()
  const { pathname } = useLocation()
  const last = lastLibrary()
  const library = libraries.find(({ id }) => id === last) ?? (libraries.length === 1 ? libraries[0] : undefined)
  const to = library === undefined ? paths.seriesList() : paths.library(library.id)
  return { to, icon: 'library', label: t('places.library'), isCurrent: isInLibrary(pathname) }
}

const isInLibrary = (pathname: string): boolean =>
  [paths.libraries(), paths.seriesList(), paths.bookList()].some((address) => isAt(pathname, address))
