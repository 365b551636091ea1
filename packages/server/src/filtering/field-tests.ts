import {
  columnName,
  type ConditionKinds,
  conditionName,
  type FieldTests,
  type MetadataField,
  type MetadataFields,
} from '@carrel/api'
import { sql } from 'kysely'
import { isFoldedText } from '../database/field-columns.ts'
import { fold, plainText } from '../platform/text/sort-key.ts'
import {
  both,
  hasTerm,
  hasThisTerm,
  inThisRole,
  not,
  numberComparison,
  ofAny,
  ofColumn,
  termKinds,
  textComparison,
  type Tests,
  type Truth,
  type Value,
  type Way,
} from './tests.ts'

type Target = 'series' | 'book'
type Has = ReturnType<typeof hasTerm>

/** The column by which a field is compared: of text the one that is made for that. */
export const comparedColumn = (target: Target, name: string, field: MetadataField): Value =>
  sql.ref(`${target}.${columnName(name)}${isFoldedText(field) ? '_text' : ''}`)

const testOf = (target: Target, [name, field]: readonly [string, MetadataField], way: Way['terms']) => {
  const kind = termKinds[conditionName(name, field) ?? '']
  if (kind)
    return (test: FieldTests['text']): Truth => {
      const { role } = 'value' in test ? test : {}
      const key = keyIn(test)
      if (key === undefined) return ofAny(inRole(target, hasTerm(target, kind, way), role), textComparison(test, fold))
      const holds = hasThisTerm(target, kind, { key, role, way })
      return test.operator === 'is' ? holds : not(holds)
    }
  const column = comparedColumn(target, name, field)
  if (field.kind === 'number') return (test: FieldTests['number']): Truth => ofColumn(column, numberComparison(test))
  return (test: FieldTests['text']): Truth => ofColumn(column, textComparison(test, plainText))
}

const inRole = (target: Target, has: Has, role: string | undefined): Has =>
  role === undefined ? has : (where) => has((key) => both(where(key), inThisRole(target, role)))

/** The key of the one term that is asked for; nothing has one of signs only. */
const keyIn = (test: FieldTests['text']): string | undefined =>
  test.operator === 'is' || test.operator === 'isNot' ? fold(test.value) || undefined : undefined

const testsOf = (target: Target, fields: MetadataFields, way: Way['terms']): object =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const condition = conditionName(name, field)
      return condition === undefined ? [] : [[condition, testOf(target, [name, field], way)] as const]
    }),
  )

/** The tests of all fields of metadata that conditions ask about, either way. They are made once: a condition has many leaves. */
export const fieldTests = <Fields extends MetadataFields>(target: Target, fields: Fields) =>
  ({
    gathered: testsOf(target, fields, 'gathered'),
    walked: testsOf(target, fields, 'walked'),
  }) as Readonly<Record<Way['terms'], Tests<ConditionKinds<Fields>>>>
