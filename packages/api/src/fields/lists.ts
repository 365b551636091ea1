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

const namesOf = <Picked extends string>(
  fields: MetadataFields,
  isPicked: (field: MetadataField) => boolean,
): readonly Picked[] =>
  Object.entries(fields)
    .filter(([, field]) => isPicked(field))
    .map(([name]) => name as Picked)

export const valueNames = <Fields extends MetadataFields>(fields: Fields) =>
  namesOf<ValueName<Fields>>(fields, ({ kind }) => kind !== 'picture')
export const shownNames = <Fields extends MetadataFields>(fields: Fields) =>
  namesOf<ShownName<Fields>>(fields, ({ kind, shown }) => kind !== 'picture' && shown !== false)
export const lockableNames = <Fields extends MetadataFields>(fields: Fields) =>
  namesOf<LockableName<Fields>>(fields, ({ lock }) => lock !== false)
export const matchedNames = <Fields extends MetadataFields>(fields: Fields) =>
  namesOf<MatchedName<Fields>>(fields, ({ match }) => match !== undefined)
export const bulkNames = <Fields extends MetadataFields>(fields: Fields) =>
  namesOf<BulkName<Fields>>(fields, ({ bulk }) => bulk === true)

/** The name a lock has beside its field. */
export const lockOf = (field: string): string =>
  field === 'authors' || field === 'awards' ? `${field}JsonLock` : `${field}Lock`
export type LockOf<Field> = Field extends 'authors' | 'awards' ? `${Field}JsonLock` : `${Field & string}Lock`
