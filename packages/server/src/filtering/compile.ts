import type { ConditionTarget, FieldTests } from '@carrel/api'
import { type RawBuilder, sql } from 'kysely'
import { bookTests } from './book-tests.ts'
import { type Condition, type ConditionOf, fieldsOf, isGroup, nodeOf } from './check.ts'
import type { FilterViewer } from './filter-viewer.ts'
import { seriesTests } from './series-tests.ts'
import { always, never, not, type Truth, type EvaluationMode } from './tests.ts'

/** What fields mean that are not ours, or not in our sense; the test is one of that field. */
type MoreTests = Readonly<Record<string, ((test: never) => Truth) | undefined>>

interface CompileContext {
  readonly target: ConditionTarget
  readonly viewer: FilterViewer
  readonly way?: EvaluationMode
  readonly more?: MoreTests
}

export const forAllRows: EvaluationMode = { terms: 'forAllRows', texts: 'with the rest' }
export const forEachRow: EvaluationMode = { terms: 'forEachRow', texts: 'with the rest' }

/** A condition that was checked, over the table `series` or `book` under its own name. True or false, never null. */
export const compileCondition = (
  condition: Condition | ConditionOf<object>,
  context: CompileContext,
): RawBuilder<boolean> => {
  const { name, value } = nodeOf(condition)
  if (!isGroup(name)) return leaf(name, value, context)
  if (name === 'not') return not(compileCondition(value as Condition, context))
  const parts = (value as readonly Condition[]).map((each) => compileCondition(each, context))
  return name === 'allOf' ? all(parts) : any(parts)
}

/** With it a list that is narrowed by nothing is read as one that is not narrowed. */
export const isAlwaysTrue = (truth: RawBuilder<boolean>): boolean => truth === always

const all = (parts: readonly Truth[]): Truth => {
  if (parts.includes(never)) return never
  const others = parts.filter((part) => part !== always)
  return others.length === 0 ? always : sql`(${sql.join(others, sql` and `)})`
}

const any = (parts: readonly Truth[]): Truth => {
  if (parts.includes(always)) return always
  const others = parts.filter((part) => part !== never)
  return others.length === 0 ? never : sql`(${sql.join(others, sql` or `)})`
}

const leaf = (field: string, test: unknown, { target, viewer, way = forAllRows, more }: CompileContext): Truth => {
  const theirs = more?.[field] as ((test: unknown) => Truth) | undefined
  if (theirs) return theirs(test)
  const tests = (target === 'series' ? seriesTests(viewer, way) : bookTests(viewer, way)) as Readonly<
    Record<string, (test: FieldTests[keyof FieldTests]) => Truth>
  >
  const written = Object.hasOwn(fieldsOf(target), field) ? tests[field] : undefined
  if (!written) throw new Error(`There is no field ${field} of ${target}: the condition was not checked`)
  // It was checked to be a test of this field's kind.
  return written(test as FieldTests[keyof FieldTests])
}
