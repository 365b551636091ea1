import { bookFields, type FieldKind, operators, seriesFields } from '@carrel/api'
import { type Arbitrary, array, constant, constantFrom, letrec, oneof, option, record } from 'fast-check'

/** Words that have something to ignore or to take literally, so that random conditions meet random rows. */
const words = [
  'Alpha',
  'álpha',
  'ALPHA beta',
  '100% Perfect',
  '100_Perfect',
  'back\\slash',
  'ガンダム',
  'がんだむ 第1巻',
  '进击的巨人',
  'ﾊﾝﾀｰ',
  'Ｗｉｄｅ',
  'straße',
  'ΟΔΟΣ',
  'dot.dash-line',
  '!!!',
  'ongoing',
  'en',
  'cbz',
  'epub',
  'manga',
  "it's",
  '12345678901234567 Days',
] as const

const parts = [
  ...words,
  'a',
  '%',
  '_',
  '\\',
  'ÁLPH',
  'だ',
  '巨人',
  'は',
  'wide',
  'οσ',
  '-',
  '',
  'perfect',
  '.',
  'X',
  '/',
  ' ',
]

const moments = [
  '2024-01-01T00:00:00.000Z',
  '2024-02-29T12:00:00.000Z',
  '2024-02-29T12:00:00.001Z',
  '2025-12-31T23:59:59.999Z',
] as const
const spelled = [
  ...moments,
  '2024-02-29T13:00:00+01:00',
  '2024-02-29',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59-12:00',
]

const numbers = [-1, 0, 1, 2, 2.5, 50, 72, 100, 1990, 2003, 1e300, -1e-7, Number.MAX_SAFE_INTEGER]

interface Choices {
  readonly libraryIds: readonly string[]
  readonly seriesIds: readonly string[]
}

type Json = Readonly<Record<string, unknown>>

const testsOf = (kind: FieldKind, ids: readonly string[]): Arbitrary<Json> => {
  const of = (words: readonly string[], rest: Record<string, Arbitrary<unknown>> = {}): Arbitrary<Json> =>
    record({ operator: constantFrom(...words), ...rest })
  const ends = (value: Arbitrary<unknown>) => oneof(value, constant(null))
  if (kind === 'text') {
    const { value, nothing } = operators.text
    return oneof({ weight: 4, arbitrary: of(value, { value: constantFrom(...parts) }) }, of(nothing))
  }
  if (kind === 'status') return of(operators.status.value, { value: constantFrom('unread', 'in_progress', 'read') })
  if (kind === 'flag') return of(operators.flag.nothing)
  if (kind === 'id') {
    const some = constantFrom(...ids, ids[0]?.toUpperCase() ?? '')
    const many = oneof(array(some, { maxLength: 4 }), constant(Array.from({ length: 60 }, () => ids[0] ?? '')))
    return oneof(of(operators.id.value, { value: some }), of(operators.id.values, { values: many }))
  }
  const { value, range, nothing } = operators[kind]
  const operand = kind === 'number' ? constantFrom(...numbers) : constantFrom(...spelled)
  const [from, to] = kind === 'number' ? ['min', 'max'] : ['start', 'end']
  return oneof(
    { weight: 4, arbitrary: of(value, { value: operand }) },
    { weight: 2, arbitrary: of(range, { [from ?? '']: ends(operand), [to ?? '']: ends(operand) }) },
    of(nothing),
  )
}

/** Conditions of every form, with empty groups among them. */
export const conditions = (target: 'series' | 'books', { libraryIds, seriesIds }: Choices): Arbitrary<Json> => {
  const fields: Readonly<Record<string, FieldKind>> = target === 'series' ? seriesFields : bookFields
  const leaves = Object.entries(fields).map(([name, kind]) =>
    testsOf(kind, name === 'libraryId' ? libraryIds : seriesIds).map((test): Json => ({ [name]: test })),
  )
  const { node } = letrec<{ node: Json; group: Json }>((tie) => ({
    node: oneof({ maxDepth: 4, withCrossShrink: true }, oneof(...leaves), tie('group')),
    group: oneof(
      array(tie('node'), { maxLength: 3 }).map((allOf) => ({ allOf })),
      array(tie('node'), { maxLength: 3 }).map((anyOf) => ({ anyOf })),
      tie('node').map((not) => ({ not })),
    ),
  }))
  return node
}

export const word = constantFrom(...words)
export const maybe = <T>(value: Arbitrary<T>) => option(value, { nil: null, freq: 2 })
export const someWords = array(word, { maxLength: 3 })
export const moment = constantFrom(...moments)
