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
import { type FilterViewer, seesTermOfSeries, shownOfSeries } from './filter-viewer.ts'
import {
  always,
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
  type EvaluationMode,
} from './tests.ts'

type Target = 'series' | 'book'
type Seer = Pick<FilterViewer, 'rule'>
type Has = ReturnType<typeof hasTerm>

/** The column by which a field is compared: of text the one that is made for that. */
export const comparedColumn = (target: Target, name: string, field: MetadataField, viewer?: Seer): Value =>
  shownColumn(target, `${columnName(name)}${isFoldedText(field) ? '_text' : ''}`, viewer)

/** Whoever sees a series without some of its books is shown what the others say of it. */
export const shownColumn = (target: Target, column: string, viewer?: Seer): Value =>
  viewer && target === 'series' ? shownOfSeries(viewer, column) : sql.ref(`${target}.${column}`)

export const seesTerm = (target: Target, viewer?: Seer): Truth =>
  viewer && target === 'series' ? seesTermOfSeries(viewer) : always

interface FieldScope {
  readonly target: Target
  readonly way: EvaluationMode['terms']
  readonly viewer: Seer | undefined
}

const testOf = ({ target, way, viewer }: FieldScope, [name, field]: readonly [string, MetadataField]) => {
  const isSeen = seesTerm(target, viewer)
  const kind = termKinds[conditionName(name, field) ?? '']
  if (kind)
    return (test: FieldTests['text']): Truth => {
      const { role } = 'value' in test ? test : {}
      const key = keyIn(test)
      if (key === undefined)
        return ofAny(inRole(target, hasTerm(target, kind, way, isSeen), role), textComparison(test, fold))
      const holds = hasThisTerm(target, kind, { key, role, way, isSeen })
      return test.operator === 'is' ? holds : not(holds)
    }
  const column = comparedColumn(target, name, field, viewer)
  if (field.kind === 'number') return (test: FieldTests['number']): Truth => ofColumn(column, numberComparison(test))
  return (test: FieldTests['text']): Truth => ofColumn(column, textComparison(test, plainText))
}

const inRole = (target: Target, has: Has, role: string | undefined): Has =>
  role === undefined ? has : (where) => has((key) => both(where(key), inThisRole(target, role)))

/** The key of the one term that is asked for; nothing has one of signs only. */
const keyIn = (test: FieldTests['text']): string | undefined =>
  test.operator === 'is' || test.operator === 'isNot' ? fold(test.value) || undefined : undefined

const testsOf = (scope: FieldScope, fields: MetadataFields): object =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      const condition = conditionName(name, field)
      return condition === undefined ? [] : [[condition, testOf(scope, [name, field])] as const]
    }),
  )

type AllTests<Fields extends MetadataFields> = Tests<ConditionKinds<Fields>>

/**
 * The tests of all fields of metadata that conditions ask about, either way. They are made once, since a condition has many leaves, but for
 * those from whom books are hidden by their ages.
 */
export const fieldTests = <Fields extends MetadataFields>(target: Target, fields: Fields) => {
  const made = (way: EvaluationMode['terms'], viewer?: Seer) =>
    testsOf({ target, way, viewer }, fields) as AllTests<Fields>
  const forMost = { forAllRows: made('forAllRows'), forEachRow: made('forEachRow') }
  return (way: EvaluationMode['terms'], viewer: Seer): AllTests<Fields> =>
    target === 'book' || viewer.rule.ageCeiling === null ? forMost[way] : made(way, viewer)
}
