import type { FilterPresetDto } from '@carrel/api'
import { useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { filtersFrom } from '../lists/filter/filters.ts'
import { wordOfSort } from '../lists/search/preset-sort.ts'
import { parseListSearch, searchText, wordsOfSearch } from '../lists/search/list-search.ts'
import { AppLink } from '../navigation/link.tsx'
import { paths } from '../navigation/paths.ts'
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

/** Undefined: a newer version has kept it, with something this one does not know. */
const addressOfPreset = ({ id, scope, target, condition, query, sort, libraryId }: FilterPresetDto) => {
  if (scope === 'search') return paths.advancedSearch({ of: target, preset: id })
  const filters = filtersFrom(target, condition)
  if (!filters) return undefined
  const search = {
    ...parseListSearch(target, { sort: wordOfSort(target, sort) }),
    filters: { ...filters, text: query ?? undefined },
  }
  return listPath(target, libraryId) + searchText(wordsOfSearch(target, search))
}

const listPath = (target: FilterPresetDto['target'], libraryId: string | null): string => {
  if (target === 'series') return libraryId === null ? paths.seriesList() : paths.library(libraryId)
  return libraryId === null ? paths.bookList() : paths.libraryBooks(libraryId)
}
