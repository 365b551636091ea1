import { columnName, type MetadataField, type MetadataFields } from '@carrel/api'
import { plainText } from '../platform/text/sort-key.ts'
import type { ValueKind } from './dialects/dialect.ts'
import type { FieldColumns } from './field-row.ts'

interface FieldColumn {
  /** What the layers call the field. */
  readonly layer: string
  readonly column: string
  readonly kind: ValueKind
  readonly textColumn?: string
}

export const isFoldedText = ({ kind, condition }: MetadataField): boolean =>
  condition !== undefined && (kind === 'line' || kind === 'prose')

const kindOf = (field: MetadataField): ValueKind => {
  if (field.kind !== 'number') return 'text'
  return field.decimals ? 'real' : 'integer'
}

const columnsOf = (fields: MetadataFields): readonly FieldColumn[] =>
  Object.entries(fields)
    .filter(([, { column }]) => column)
    .map(([name, field]) => ({
      layer: field.layer ?? name,
      column: columnName(name),
      kind: kindOf(field),
      ...(isFoldedText(field) && { textColumn: `${columnName(name)}_text` }),
    }))

/** It is made once for the fields of series, and once for those of books. */
export const fieldColumns = <Fields extends MetadataFields>(fields: Fields) => {
  const columns = columnsOf(fields)
  const kinds: Record<string, ValueKind> = {}
  for (const { column, kind, textColumn } of columns) {
    kinds[column] = kind
    if (textColumn) kinds[textColumn] = 'text'
  }
  return {
    /** The kind of value that each column holds. */
    kinds: kinds as Record<keyof FieldColumns<Fields>, ValueKind>,
    /** The columns of what is shown, by the names of the layers. */
    of: (shown: Readonly<Record<string, unknown>>) => {
      const row: Record<string, unknown> = {}
      for (const { layer, column, textColumn } of columns) {
        const value = shown[layer] ?? null
        row[column] = value
        if (textColumn) row[textColumn] = typeof value === 'string' ? plainText(value) : null
      }
      return row as FieldColumns<Fields>
    },
  }
}
