import { listLibraries, seriesStatuses } from '@carrel/api'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { useLanguageName } from '../../text/language-name.ts'
import type { FilterName } from './filters.ts'

const readStatuses = ['unread', 'in_progress', 'read'] as const

/** It names filters and their values. */
export const useFilterWords = () => {
  const { t } = useTranslation('lists')
  const { data: libraries } = useLater(listLibraries, { query: { pageSize: 500 } })
  const nameOfLanguage = useLanguageName()
  const findWord = <Word extends string>(words: readonly Word[], value: string): Word | undefined =>
    words.find((each) => each === value)
  return {
    name: (name: FilterName): string => t(`filters.${name}`),
    value: (name: FilterName, value: string): string => {
      const status = name === 'status' ? findWord(seriesStatuses, value) : undefined
      const read = name === 'read' ? findWord(readStatuses, value) : undefined
      if (status !== undefined) return t(`status.${status}`)
      if (read !== undefined) return t(`readStatus.${read}`)
      if (name === 'library') return libraries?.data.find(({ id }) => id === value)?.name ?? value
      if (name === 'language') return nameOfLanguage(value)
      return name === 'format' ? value.toUpperCase() : value
    },
  }
}
