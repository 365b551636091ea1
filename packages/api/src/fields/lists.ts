import type { MetadataField, MetadataFields } from './field.ts'

type Name<Fields> = keyof Fields & string
type NamesWith<Fields, Aspect> = {
  [Field in keyof Fields]: Fields[Field] extends Aspect ? Field : never
}[keyof Fields] &
  string

/** All but the cover have a value that is text, a number or a list. */
export type ValueName<Fields> = Exclude<Name<Fields>, NamesWith<Fields, { readonly kind: 'picture' }>>
export type LockableName<Fields> = Exclude<Name<Fields>, NamesWith<Fields, { readonly lock: false }>>
export type ShownName<Fields> = Exclude<ValueName<Fields>, NamesWith<Fields, { readonly shown: false }>>
export type MatchedName<Fields> = NamesWith<Fields, { readonly match: string }>
export type BulkName<Fields> = NamesWith<Fields, { readonly bulk: true }>

const namesOf = (fields: MetadataFields, isPicked: (field: MetadataField) => boolean): readonly string[] =>
  Object.entries(fields)
    .filter(([, field]) => isPicked(field))
    .map(([name]) => name)

export const valueNames = <Fields extends MetadataFields>(fields: Fields) =>
  namesOf(fields, ({ kind }) => kind !== 'picture') as readonly ValueName<Fields>[]
export const shownNames = <Fields extends MetadataFields>(fields: Fields) =>
  namesOf(fields, ({ kind, shown }) => kind !== 'picture' && shown !== false) as readonly ShownName<Fields>[]
export const lockableNames = <Fields extends MetadataFields>(fields: Fields) =>
  namesOf(fields, ({ lock }) => lock !== false) as readonly LockableName<Fields>[]
export const matchedNames = <Fields extends MetadataFields>(fields: Fields) =>
  namesOf(fields, ({ match }) => match !== undefined) as readonly MatchedName<Fields>[]
export const bulkNames = <Fields extends MetadataFields>(fields: Fields) =>
  namesOf(fields, ({ bulk }) => bulk === true) as readonly BulkName<Fields>[]

type ConditionName<Name, Field> = Field extends { readonly condition: infer Condition }
  ? Condition extends string
    ? Condition
    : Name
  : never

/** What conditions can ask about, with the kind of the tests. */
export type ConditionKinds<Fields> = {
  [Name in keyof Fields as ConditionName<Name, Fields[Name]>]: Fields[Name] extends { readonly kind: 'number' }
    ? 'number'
    : 'text'
}
export type FacetName<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends { readonly facet: true } ? ConditionName<Name, Fields[Name]> : never
}[keyof Fields] &
  string
/** The field a list is sorted by, by all the names it has there. */
export type FieldOrders<Fields> = {
  [
    Name in keyof Fields as Fields[Name] extends { readonly order: readonly (infer Order extends string)[] }
      ? Order
      : never
  ]: Name
}

/** What a field is called in conditions, and among the facets; undefined where it is in none. */
export const conditionName = (name: string, { condition }: MetadataField): string | undefined =>
  condition === true ? name : condition

export const conditionKinds = <Fields extends MetadataFields>(fields: Fields) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const condition = conditionName(name, field)
      return condition === undefined ? [] : [[condition, field.kind === 'number' ? 'number' : 'text'] as const]
    }),
  ) as ConditionKinds<Fields>

export const facetNames = <Fields extends MetadataFields>(fields: Fields) =>
  Object.entries(fields).flatMap(([name, field]) =>
    field.facet ? [(conditionName(name, field) ?? name) as FacetName<Fields>] : [],
  )

export const fieldOrders = <Fields extends MetadataFields>(fields: Fields) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { order = [] }]) => order.map((each) => [each, name] as const)),
  ) as FieldOrders<Fields>

type Snake<Name> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : Name
/** A name as columns have it, in tables and in exports. */
export type ColumnName<Name> = Snake<Name> & string
export const columnName = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

type ExportKeyOf<Name, Field> = Field extends { readonly exportKey: infer Key extends string } ? Key : ColumnName<Name>
/** The keys of what is exported, with the field of each. */
export type ExportKeys<Fields> = {
  [
    Name in keyof Fields as Fields[Name] extends { readonly export: string } ? ExportKeyOf<Name, Fields[Name]> : never
  ]: Name
}
export const exportKeyOf = (name: string, { exportKey = columnName(name) }: MetadataField): string => exportKey

export const exportKeys = <Fields extends MetadataFields>(fields: Fields) =>
  Object.entries(fields).flatMap(([name, field]) =>
    field.export === undefined ? [] : [exportKeyOf(name, field) as keyof ExportKeys<Fields> & string],
  )

/** The name a lock has beside its field. */
export const lockOf = (field: string): string =>
  field === 'authors' || field === 'awards' ? `${field}JsonLock` : `${field}Lock`
export type LockOf<Field> = Field extends 'authors' | 'awards' ? `${Field}JsonLock` : `${Field & string}Lock`
