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
  const entriesOf = <Value>(of: (column: FieldColumn) => readonly [value: Value, text: Value]) =>
    Object.fromEntries(
      columns.flatMap((each) => {
        const [value, text] = of(each)
        return [[each.column, value] as const, ...(each.textColumn ? [[each.textColumn, text] as const] : [])]
      }),
    )
  return {
    /** The kind of value that each column holds. */
    kinds: entriesOf<ValueKind>(({ kind }) => [kind, 'text']) as Record<keyof FieldColumns<Fields>, ValueKind>,
    /** The columns of what is shown, by the names of the layers. */
    of: (shown: Readonly<Record<string, unknown>>) =>
      entriesOf<unknown>(({ layer }) => {
        const value = shown[layer] ?? null
        return [value, typeof value === 'string' ? plainText(value) : null]
      }) as FieldColumns<Fields>,
  }
}
