import { type ConditionTarget, listLibraries, readSeries, suggest } from '@carrel/api'
import { MultiSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQueries } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { query, useLater } from '../../../api/queries.ts'
import type { Test } from '../../../text/condition-text.ts'

interface IdsInputProps {
  readonly target: ConditionTarget
  readonly field: string
  readonly test: Test
  readonly onChange: (test: Test) => void
}

/** Libraries or series by their names, one or several. */
export const IdsInput = ({ field, test, onChange }: IdsInputProps): ReactNode => {
  const { t } = useTranslation('search')
  const isList = test.operator === 'in' || test.operator === 'notIn'
  const ids = isList ? (test.values ?? []) : typeof test.value === 'string' && test.value !== '' ? [test.value] : []
  const [search, setSearch] = useState('')
  const options = useNames(field, ids, search)
  const change = (next: readonly string[]): void => {
    if (isList) return onChange({ operator: test.operator, values: next })
    const value = next.at(-1)
    onChange(value === undefined ? { operator: test.operator } : { operator: test.operator, value })
  }
  return (
    <MultiSelect
      aria-label={t('advanced.value')}
      placeholder={ids.length === 0 ? t('advanced.choose') : ''}
      data={options.map(({ id, name }) => ({ value: id, label: name }))}
      value={[...ids]}
      onChange={change}
      searchable
      searchValue={search}
      onSearchChange={setSearch}
      nothingFoundMessage={t('advanced.nothingToChoose')}
    />
  )
}

interface Named {
  readonly id: string
  readonly name: string
}

const waitMs = 150

const useNames = (field: string, ids: readonly string[], search: string): readonly Named[] => {
  const [settled] = useDebouncedValue(search.trim(), waitMs)
  const ofSeries = field === 'seriesId'
  const { data: libraries } = useLater(listLibraries, {}, { enabled: !ofSeries })
  const { data: answer } = useLater(suggest, { query: { q: settled } }, { enabled: ofSeries && settled !== '' })
  const chosen = useQueries({
    queries: ofSeries ? ids.map((id) => query(readSeries, { params: { id } })) : [],
    combine: (results) => results.map(({ data }) => data?.body.title),
  })
  const options = ofSeries
    ? (answer?.suggestions ?? []).filter(({ kind }) => kind === 'series').map(({ id, value }) => ({ id, name: value }))
    : (libraries?.data ?? [])
  // Ids of what is not there, or not for you, stay and are shown as they are.
  const own = ids
    .map((id, index) => ({ id, name: chosen[index] ?? id }))
    .filter(({ id }) => options.every((each) => each.id !== id))
  return [...own, ...options]
}
