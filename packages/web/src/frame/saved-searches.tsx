import type { FilterPresetDto } from '@carrel/api'
import { useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { addressOfPreset } from '../lists/search/preset-address.ts'
import { AppLink } from '../navigation/link.tsx'
import { NavGroup, type NavItem } from '../ui/layout/frame.tsx'

const shownMax = 8

/** The filters that somebody has given a name: each leads to the list with them set. */
export const SavedSearches = ({ presets }: { readonly presets: readonly FilterPresetDto[] }): ReactNode => {
  const { t } = useTranslation()
  const { pathname, searchStr } = useLocation()
  const here = pathname + searchStr
  const items = presets.flatMap((preset): NavItem[] => {
    const to = addressOfPreset(preset)
    return to === undefined ? [] : [{ to, icon: 'filter', label: preset.name, isCurrent: here === to }]
  })
  if (items.length === 0) return null
  return <NavGroup link={AppLink} label={t('places.savedSearches')} items={items.slice(0, shownMax)} isWide />
}
