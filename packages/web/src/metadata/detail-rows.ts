import type { DetailRow } from '../ui/detail/details.tsx'
import { detailsOf } from './fields.ts'
import { useFieldText, useValueText } from './value-text.ts'

/** The fields that stand on the page of a series or a book as they are; what says nothing has no row. */
export const useDetailRows = (kind: 'series' | 'book', metadata: object): DetailRow[] => {
  const fieldText = useFieldText()
  const valueText = useValueText()
  const values = metadata as Readonly<Record<string, unknown>>
  return detailsOf(kind).map((field) => {
    const value = values[field] ?? null
    if (Array.isArray(value)) return { label: fieldText(field), value: value.join(', ') }
    return { label: fieldText(field), value: value === null ? null : valueText(field, value) }
  })
}
