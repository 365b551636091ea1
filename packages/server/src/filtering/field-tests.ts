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
    return (test: FieldTests['text']): Truth =>
      ofAny(inRole(target, hasTerm(target, kind, way), test), textComparison(test, fold))
  const column = comparedColumn(target, name, field)
  if (field.kind === 'number') return (test: FieldTests['number']): Truth => ofColumn(column, numberComparison(test))
  return (test: FieldTests['text']): Truth => ofColumn(column, textComparison(test, plainText))
}

/** A role that is written in two ways is one. */
const inRole = (target: Target, has: Has, test: FieldTests['text']): Has => {
  const { role } = 'value' in test ? test : {}
  if (role === undefined) return has
  return (where) =>
    has((key) => both(where(key), sql`lower(${sql.ref(`${target}_term.role`)}) = ${role.toLowerCase()}`))
}

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
