import { listGenres, listTags } from '@carrel/api'
import { TagsInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import type { ControlProps } from './control-props.ts'
import type { FieldShape } from '../../metadata/fields.ts'

type WordsShape = Extract<FieldShape, { readonly kind: 'words' }>
const waitMs = 150

/** Several words, with those others have used for suggestions. */
export const WordsField = ({ id, shape, value, onChange, error }: ControlProps<WordsShape>): ReactNode => {
  const { t } = useTranslation('editing')
  const [search, setSearch] = useState('')
  const [settled] = useDebouncedValue(search.trim(), waitMs)
  const { data } = useLater(
    shape.suggest === 'genres' ? listGenres : listTags,
    { query: { pageSize: 12, ...(settled !== '' && { q: settled }) } },
    { enabled: shape.suggest !== undefined && settled !== '', keepPrevious: true },
  )
  const words = Array.isArray(value) ? (value as readonly string[]) : []
  return (
    <TagsInput
      id={id}
      value={[...words]}
      onChange={(next) => onChange(next)}
      searchValue={search}
      onSearchChange={setSearch}
      data={[...new Set(data?.data.map(({ name }) => name))]}
      placeholder={words.length === 0 ? t('addWord') : ''}
      maxLength={200}
      acceptValueOnBlur
      error={error}
    />
  )
}
