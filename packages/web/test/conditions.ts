import { bookFields, type FieldKind, operators, readStatuses, seriesFields } from '@carrel/api'
import fc from 'fast-check'
import type { Test, Tree } from '../src/text/condition-text.ts'

const uuid = fc.uuid()
const instant = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString())
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom('or', '-x', '"', '..', '[a]', 'none', ')'),
)
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (Object.is(value, -0) ? 0 : value))
const orNull = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null })

const tests: Readonly<Record<FieldKind, fc.Arbitrary<Test>>> = {
  text: fc.oneof(
    fc.record({ operator: fc.constantFrom(...operators.text.value), value: text }),
    fc.record({ operator: fc.constantFrom(...operators.text.nothing) }),
  ),
  status: fc.record({ operator: fc.constantFrom(...operators.status.value), value: fc.constantFrom(...readStatuses) }),
  id: fc.oneof(
    fc.record({ operator: fc.constantFrom(...operators.id.value), value: uuid }),
    fc.record({ operator: fc.constantFrom(...operators.id.values), values: fc.array(uuid, { maxLength: 4 }) }),
  ),
  flag: fc.record({ operator: fc.constantFrom(...operators.flag.nothing) }),
  number: fc.oneof(
    fc.record({ operator: fc.constantFrom(...operators.number.value), value: number }),
    fc.record({ operator: fc.constant('between'), min: orNull(number), max: orNull(number) }),
    fc.record({ operator: fc.constantFrom(...operators.number.nothing) }),
  ),
  date: fc.oneof(
    fc.record({ operator: fc.constantFrom(...operators.date.value), value: instant }),
    fc.record({ operator: fc.constant('between'), start: orNull(instant), end: orNull(instant) }),
    fc.record({ operator: fc.constantFrom(...operators.date.nothing) }),
  ),
}

const treesOver = (fields: Readonly<Record<string, FieldKind>>): fc.Arbitrary<Tree> => {
  const leaf = fc
    .constantFrom(...Object.entries(fields))
    .chain(([field, kind]) => tests[kind].map((test): Tree => ({ [field]: test })))
  const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      leaf,
      fc.array(tie('tree'), { maxLength: 4 }).map((items): Tree => ({ allOf: items })),
      fc.array(tie('tree'), { maxLength: 4 }).map((items): Tree => ({ anyOf: items })),
      tie('tree').map((item): Tree => ({ not: item })),
    ),
  }))
  return tree
}

/** Any condition there may be, hostile words included. */
export const anyCondition = { series: treesOver(seriesFields), books: treesOver(bookFields) } as const
