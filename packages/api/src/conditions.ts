import { type TSchema, Type } from 'typebox'
import { fieldsOfBooks } from './fields/books.ts'
import { conditionKinds } from './fields/lists.ts'
import { fieldsOfSeries } from './fields/series.ts'
import { Nullable } from './schema.ts'

/**
 * Lists, presets, automatic collections, feeds and exports are narrowed by conditions (CAT-4). A condition may nest: so
 * the validator of requests only checks that it is an object, and `filtering/` says what is wrong with it.
 */

export const readStatuses = ['unread', 'in_progress', 'read'] as const
export type ReadStatus = (typeof readStatuses)[number]

/** The operators of each kind of field are grouped by what they take besides. */
export const operators = {
  text: {
    value: ['is', 'isNot', 'contains', 'doesNotContain', 'beginsWith', 'endsWith'],
    nothing: ['isNull', 'isNotNull'],
  },
  status: { value: ['is', 'isNot'] },
  id: { value: ['is', 'isNot'], values: ['in', 'notIn'] },
  flag: { nothing: ['isTrue', 'isFalse'] },
  number: { value: ['eq', 'ne', 'gt', 'gte', 'lt', 'lte'], range: ['between'], nothing: ['isNull', 'isNotNull'] },
  date: {
    value: ['after', 'before', 'onOrAfter', 'onOrBefore'],
    range: ['between'],
    nothing: ['isNull', 'isNotNull'],
  },
} as const

export type FieldKind = keyof typeof operators

export const seriesFields = {
  libraryId: 'id',
  ...conditionKinds(fieldsOfSeries),
  readStatus: 'status',
  sharingTag: 'text',
  path: 'text',
  completion: 'flag',
  hasGaps: 'flag',
  hasExternalSourceId: 'flag',
  hasUserRating: 'flag',
  isTracked: 'flag',
  inCollection: 'flag',
  userRating: 'number',
  communityRating: 'number',
  dateAdded: 'date',
} as const satisfies Record<string, FieldKind>

export const bookFields = {
  libraryId: 'id',
  seriesId: 'id',
  ...conditionKinds(fieldsOfBooks),
  readStatus: 'status',
  path: 'text',
  format: 'text',
  hasError: 'flag',
  inReadList: 'flag',
  pageCount: 'number',
  dateAdded: 'date',
} as const satisfies Record<string, FieldKind>

/** Somebody may be asked for by what they did, written as in metadata. */
export const fieldWithRole = 'author'

export const conditionLimits = { depth: 8, leaves: 100, values: 1000, textLength: 1000 } as const

export type ConditionTarget = 'series' | 'books'

type Nothing<Kind extends 'text' | 'flag' | 'number' | 'date'> = {
  readonly operator: (typeof operators)[Kind]['nothing'][number]
}
type Valued<Kind extends 'text' | 'status' | 'id' | 'number' | 'date', Value> = {
  readonly operator: (typeof operators)[Kind]['value'][number]
  readonly value: Value
}

/** The role is only for the field `author`, which is `fieldWithRole`. */
export type TextTest = (Valued<'text', string> & { readonly role?: string }) | Nothing<'text'>
export type StatusTest = Valued<'status', ReadStatus>
export type IdTest = Valued<'id', string> | { readonly operator: 'in' | 'notIn'; readonly values: readonly string[] }
export type FlagTest = Nothing<'flag'>
export type NumberTest =
  | Valued<'number', number>
  | { readonly operator: 'between'; readonly min?: number | null; readonly max?: number | null }
  | Nothing<'number'>
export type DateTest =
  | Valued<'date', string>
  | { readonly operator: 'between'; readonly start?: string | null; readonly end?: string | null }
  | Nothing<'date'>

export interface FieldTests {
  text: TextTest
  status: StatusTest
  id: IdTest
  flag: FlagTest
  number: NumberTest
  date: DateTest
}

type Leaf<Fields extends Record<string, FieldKind>> = {
  [Field in keyof Fields]: { readonly [Name in Field]: FieldTests[Fields[Field]] }
}[keyof Fields]

type ConditionOver<Fields extends Record<string, FieldKind>> =
  | { readonly allOf: readonly ConditionOver<Fields>[] }
  | { readonly anyOf: readonly ConditionOver<Fields>[] }
  | { readonly not: ConditionOver<Fields> }
  | Leaf<Fields>

export type SeriesCondition = ConditionOver<typeof seriesFields>
export type BookCondition = ConditionOver<typeof bookFields>

const description = [
  'One of `allOf`, `anyOf` (lists of conditions), `not` (a condition), or one field with its operator.',
  'An empty `allOf` is true, an empty `anyOf` false. At most 8 groups deep and 100 fields or empty groups in all.',
  'Text ignores case and accents. A negative operator holds exactly where its positive form does not, so also where',
  'nothing is known. For lists (genre, tag, author) a positive operator means any of them, a negative one none.',
  'With `role`, written as in metadata, `author` is about what was done in that role only.',
].join(' ')

// The grammar below describes their content, and the server checks it; the validator is not to follow them down a
// hundred thousand levels.
export const SeriesCondition = Type.Unsafe<SeriesCondition>({ type: 'object', title: 'SeriesCondition', description })
export const BookCondition = Type.Unsafe<BookCondition>({ type: 'object', title: 'BookCondition', description })

const closed = (properties: Record<string, TSchema>, required: readonly string[]) => ({
  type: 'object',
  properties,
  required: [...required],
  additionalProperties: false,
})

const operatorIn = (words: readonly string[]) => Type.Unsafe({ type: 'string', enum: [...words] })

interface TestShape {
  readonly value: TSchema
  /** What a range is called by. */
  readonly ends?: readonly [string, string]
  /** What may stand beside the value. */
  readonly besides?: Record<string, TSchema>
}

const testSchema = (title: string, kind: FieldKind, { value, ends = ['min', 'max'], besides }: TestShape) => {
  const [from, to] = ends
  const groups: {
    value?: readonly string[]
    values?: readonly string[]
    range?: readonly string[]
    nothing?: readonly string[]
  } = operators[kind]
  const forms = [
    groups.value && closed({ operator: operatorIn(groups.value), value, ...besides }, ['operator', 'value']),
    groups.values &&
      closed({ operator: operatorIn(groups.values), values: Type.Array(value, { maxItems: conditionLimits.values }) }, [
        'operator',
        'values',
      ]),
    groups.range &&
      closed({ operator: operatorIn(groups.range), [from]: Nullable(value), [to]: Nullable(value) }, ['operator']),
    groups.nothing && closed({ operator: operatorIn(groups.nothing) }, ['operator']),
  ]
  return { title, anyOf: forms.filter((form) => form !== undefined) }
}

const text = Type.String({ maxLength: conditionLimits.textLength })
const tests: Readonly<Record<FieldKind, TSchema>> = {
  text: testSchema('TextTest', 'text', { value: text }),
  status: testSchema('ReadStatusTest', 'status', { value: Type.Unsafe({ type: 'string', enum: [...readStatuses] }) }),
  id: testSchema('IdTest', 'id', { value: Type.String({ format: 'uuid' }) }),
  flag: testSchema('FlagTest', 'flag', { value: Type.Boolean() }),
  number: testSchema('NumberTest', 'number', { value: Type.Number() }),
  date: testSchema('DateTest', 'date', { value: Type.String({ format: 'date-time' }), ends: ['start', 'end'] }),
}
const personTest = testSchema('PersonTest', 'text', { value: text, besides: { role: text } })

const grammarOf = (title: string, fields: Readonly<Record<string, FieldKind>>) => {
  const itself = { $ref: `#/components/schemas/${title}` } as unknown as TSchema
  const forms: Record<string, TSchema> = {
    allOf: { type: 'array', items: itself },
    anyOf: { type: 'array', items: itself },
    not: itself,
    ...Object.fromEntries(
      Object.entries(fields).map(([name, kind]) => [name, name === fieldWithRole ? personTest : tests[kind]]),
    ),
  }
  const alternatives = Object.entries(forms).map(([name, schema]) => closed({ [name]: schema }, [name]))
  return { description, oneOf: alternatives }
}

/** The document of the API lists them by the name of the schema that stands for each. */
export const conditionGrammars: Readonly<Record<string, object>> = {
  SeriesCondition: grammarOf('SeriesCondition', seriesFields),
  BookCondition: grammarOf('BookCondition', bookFields),
}
