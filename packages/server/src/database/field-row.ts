import type { ColumnName, ShownValue } from '@carrel/api'

/** Fields of metadata that have a column of their own stand in it as they are shown, or null. */

type WithColumn = { readonly column: true }
/** Conditions compare text in a form of its own (`plainText`). */
type WithText = WithColumn & { readonly condition: true | string; readonly kind: 'line' | 'prose' }

export type FieldColumns<Fields> = {
  [Name in keyof Fields as Fields[Name] extends WithColumn ? ColumnName<Name> : never]: ShownValue<Fields[Name]>
} & { [Name in keyof Fields as Fields[Name] extends WithText ? `${ColumnName<Name>}_text` : never]: string | null }
