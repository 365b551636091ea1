import { type TBoolean, type TOptional, type TSchema, type TUnsafe, Type } from 'typebox'
import { Nullable, OneOf } from '../schema.ts'
import type { MetadataField, MetadataFields } from './field.ts'
import {
  type BulkName,
  bulkNames,
  type LockableName,
  lockableNames,
  lockOf,
  type LockOf,
  type ShownName,
  type ValueName,
  valueNames,
} from './lists.ts'
import { type BulkItem, bulkRows, plain, inputRows, type InputRows, shownRows, type ShownRows, word } from './rows.ts'

export const CustomMetadata = Type.Unsafe<Record<string, unknown>>({
  type: 'object',
  additionalProperties: true,
  description: 'Anything you like to keep, as a JSON object.',
})

type ValueOf<Field, Rows> = Field extends { readonly kind: 'line' | 'prose' }
  ? string | null
  : Field extends { readonly kind: 'number' }
    ? number | null
    : Field extends { readonly kind: 'truth' }
      ? boolean | null
      : Field extends { readonly kind: 'choice'; readonly choices: readonly (infer Choice)[] }
        ? Choice | null
        : Field extends { readonly kind: 'json' }
          ? Record<string, unknown> | null
          : Field extends { readonly kind: 'words' }
            ? string[]
            : Field extends { readonly kind: 'rows'; readonly rows: infer Name extends keyof Rows }
              ? Rows[Name][]
              : never

/** What replies show of a field: null, or an empty list, where there is no value. */
export type ShownValue<Field> = ValueOf<Field, ShownRows>
/** What clients may send for a field. A list that is null means the same as an empty one. */
type InputValue<Field> = ValueOf<Field, InputRows> | null

const shownSchema = (field: MetadataField): TSchema => {
  const { reply } = field
  switch (field.kind) {
    case 'line':
    case 'prose':
      return Nullable(Type.String(reply))
    case 'number':
      return Nullable(field.decimals ? Type.Number(reply) : Type.Integer({ format: 'int32', ...reply }))
    case 'truth':
      return Nullable(Type.Boolean())
    case 'choice':
      return Nullable(OneOf(field.choices))
    case 'words':
      return Type.Array(Type.String())
    case 'rows':
      return Type.Array(shownRows[field.rows])
    case 'json':
    case 'picture':
      return Nullable(CustomMetadata)
  }
}

const inputSchema = (field: MetadataField): TSchema => {
  switch (field.kind) {
    case 'line':
      return Nullable(plain(field.maxLength))
    case 'prose':
      return Nullable(
        Type.String({
          minLength: 1,
          maxLength: field.maxLength,
          pattern: '^[^\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f]+$',
        }),
      )
    case 'number': {
      const limits = { minimum: field.min, maximum: field.max }
      return Nullable(field.decimals ? Type.Number(limits) : Type.Integer(limits))
    }
    case 'words':
      return Nullable(Type.Array(word, { maxItems: field.maxItems }))
    case 'rows':
      return Nullable(Type.Array(inputRows[field.rows], { maxItems: field.maxItems }))
    case 'truth':
    case 'choice':
    case 'json':
    case 'picture':
      return shownSchema(field)
  }
}

/** A schema for each of these names; which one, the type of whoever asks says. */
const schemasOf = (names: readonly string[], schema: (name: string) => TSchema): object =>
  Object.fromEntries(names.map((name) => [name, schema(name)]))

const fieldIn = (fields: MetadataFields, name: string): MetadataField => fields[name] ?? { kind: 'picture' }

type Replies<Fields, Names extends keyof Fields> = { [Field in Names]: TUnsafe<ShownValue<Fields[Field]>> }

const repliesOf = <Fields extends MetadataFields, Names extends keyof Fields & string>(
  fields: Fields,
  matches: (field: MetadataField) => boolean,
) =>
  schemasOf(
    valueNames(fields).filter((name) => matches(fieldIn(fields, name))),
    (name) => shownSchema(fieldIn(fields, name)),
  ) as Replies<Fields, Names>

type Locks<Fields> = { [Field in LockableName<Fields> as LockOf<Field>]: TBoolean }

/** Every field that is shown, with the locks beside them. */
export const shownProperties = <Fields extends MetadataFields>(fields: Fields) => {
  type Unlockable = Exclude<ShownName<Fields>, LockableName<Fields>>
  type Lockable = Exclude<ShownName<Fields>, Unlockable>
  const locks = Object.fromEntries(lockableNames(fields).map((name) => [lockOf(name), Type.Boolean()]))
  return {
    ...repliesOf<Fields, Lockable>(fields, ({ shown, lock }) => shown !== false && lock !== false),
    ...(locks as Locks<Fields>),
    ...repliesOf<Fields, Unlockable>(fields, ({ shown, lock }) => shown !== false && lock === false),
  }
}

/** What only those see who edit. */
export const editedProperties = <Fields extends MetadataFields>(fields: Fields) =>
  repliesOf<Fields, Exclude<ValueName<Fields>, ShownName<Fields>>>(fields, ({ shown }) => shown === false)

type Patch<Fields extends MetadataFields> = {
  [Field in ValueName<Fields>]: TOptional<TUnsafe<InputValue<Fields[Field]>>>
} & { [Field in LockableName<Fields> as LockOf<Field>]: TOptional<TBoolean> }

/** Every field that people can say something of, and every lock. */
export const patchProperties = <Fields extends MetadataFields>(fields: Fields): Patch<Fields> => ({
  ...(schemasOf(valueNames(fields), (name) => Type.Optional(inputSchema(fieldIn(fields, name)))) as Patch<Fields>),
  ...Object.fromEntries(lockableNames(fields).map((name) => [lockOf(name), Type.Optional(Type.Boolean())])),
})

const bulkItemsMax = 100

/** What single entries are added to or removed from. */
export const bulkProperties = <Fields extends MetadataFields>(fields: Fields) =>
  schemasOf(bulkNames(fields), (name) =>
    Type.Optional(Type.Array(name === 'authors' ? bulkRows.authors : word, { maxItems: bulkItemsMax })),
  ) as { [Field in BulkName<Fields>]: TOptional<TUnsafe<BulkItem<Fields[Field]>[]>> }
