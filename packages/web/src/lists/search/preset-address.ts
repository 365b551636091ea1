import type { FilterPresetDto } from '@carrel/api'
import { paths } from '../../navigation/paths.ts'
import { filtersFrom } from '../filter/filters.ts'
import { parseListSearch, searchText, wordsOfSearch } from './list-search.ts'
import { wordOfSort } from './preset-sort.ts'

/** Where what a saved search finds is shown; undefined: a newer version has kept it, with something this one does not know. */
export const addressOfPreset = (preset: FilterPresetDto): string | undefined => {
  const { id, scope, target, condition, query, sort, libraryId } = preset
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
