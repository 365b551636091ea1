import { listPeople } from '@carrel/api'
import { Autocomplete } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type ReactNode, useState } from 'react'
import { useLater } from '../../api/queries.ts'

interface PersonInputProps {
  readonly label: string
  readonly value: string
  readonly onChange: (name: string) => void
}

const waitMs = 150

/** The name of somebody, with those who are known already for suggestions. */
export const PersonInput = ({ label, value, onChange }: PersonInputProps): ReactNode => {
  const [typed, setTyped] = useState('')
  const [settled] = useDebouncedValue(typed.trim(), waitMs)
  const { data } = useLater(
    listPeople,
    { query: { q: settled, pageSize: 10 } },
    { enabled: settled !== '', keepPrevious: true },
  )
  return (
    <Autocomplete
      aria-label={label}
      placeholder={label}
      maxLength={200}
      data={typed === '' ? [] : [...new Set(data?.data.map(({ name }) => name))]}
      value={value}
      onChange={(name) => {
        setTyped(name)
        onChange(name)
      }}
    />
  )
}
