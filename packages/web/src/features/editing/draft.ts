import { type FieldName, isField, shapeOf } from '../../metadata/fields.ts'

/** One thing that somebody has typed and not saved. */
interface Change {
  /** It is the value shown when typing began: if the stored value differs by now, somebody else has changed it. */
  readonly before: unknown
  readonly value: unknown
}

/** The key is the field, or the lock of a field. */
export type Draft = Readonly<Record<string, Change>>
export type Metadata = Readonly<Record<string, unknown>>

/** It turns typed values into what is sent: half a row is dropped, an empty line is no value. */
export const cleaned = (name: string, value: unknown): unknown => {
  if (!isField(name)) return value
  const shape = shapeOf(name)
  if (shape.kind === 'rows') return cleanRows(name, value)
  if (shape.kind === 'json') return typeof value === 'string' ? jsonIn(value) : (value ?? null)
  if (shape.kind === 'words') return value ?? []
  return typeof value === 'string' && value.trim() === '' ? null : (value ?? null)
}

type Row = Readonly<Record<string, unknown>>

const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')

const cleanRows = (field: FieldName, value: unknown): readonly Row[] => {
  const shape = shapeOf(field)
  if (shape.kind !== 'rows' || !Array.isArray(value)) return []
  const required = shape.columns.filter(({ isRequired }) => isRequired)
  return (value as readonly Row[])
    .filter((row) => required.every(({ name }) => !isNothing(row[name])))
    .map((row) => Object.fromEntries(Object.entries(row).filter(([, each]) => !isNothing(each))))
}

/** Text that is no JSON object is `undefined`: it cannot be sent. */
const jsonIn = (text: string): unknown => {
  if (text.trim() === '') return null
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The same JSON, whatever the order of the fields of its objects. */
export const same = (one: unknown, other: unknown): boolean => ordered(one) === ordered(other)

const ordered = (value: unknown): string =>
  JSON.stringify(value ?? null, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)))
      : each,
  )

const sameFor = (name: string, one: unknown, other: unknown): boolean => {
  const [first, second] = [cleaned(name, one), cleaned(name, other)]
  // A value that cannot be sent is not the same as no value.
  return (first === undefined) === (second === undefined) && same(first, second)
}

/** A typed value that equals the shown one is no change. */
export const typed = (draft: Draft, now: Metadata, [name, value]: readonly [string, unknown]): Draft => {
  const { [name]: change, ...others } = draft
  const before = change ? change.before : now[name]
  // Half a row stays while it is being typed.
  if (same(value, now[name]) || (!hasHalfRows(name, value) && sameFor(name, value, now[name]))) return others
  return { ...others, [name]: { before, value } }
}

const hasHalfRows = (name: string, value: unknown): boolean =>
  isField(name) && shapeOf(name).kind === 'rows' && Array.isArray(value) && cleanRows(name, value).length < value.length

/** A field conflicts when somebody else has changed to another value what is typed here. */
export const conflictsOf = (draft: Draft, now: Metadata): readonly string[] =>
  Object.entries(draft)
    .filter(([name, { before, value }]) => !sameFor(name, now[name], before) && !sameFor(name, now[name], value))
    .map(([name]) => name)

/** Mine goes over theirs, knowingly. */
export const insist = (draft: Draft, now: Metadata, name: string): Draft => {
  const change = draft[name]
  return change ? { ...draft, [name]: { ...change, before: now[name] } } : draft
}

export const without = (draft: Draft, name: string): Draft => {
  const { [name]: _, ...others } = draft
  return others
}

/** The merge patch of it: only what would change something. */
export const patchOf = (draft: Draft, now: Metadata): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(draft)
      .filter(([name, { value }]) => !sameFor(name, value, now[name]))
      .map(([name, { value }]) => [name, cleaned(name, value)]),
  )

/** Sent fields are done; those typed meanwhile stay, and what was sent is no change of somebody else. */
export const afterSaving = (draft: Draft, sent: Draft): Draft =>
  Object.fromEntries(
    Object.entries(draft)
      .filter(([name, { value }]) => !same(value, sent[name]?.value))
      .map(([name, change]) => [name, { ...change, before: (sent[name] ?? { value: change.before }).value }]),
  )

/** Fields with something in them that cannot be sent. */
export const wrongIn = (draft: Draft): readonly string[] =>
  Object.entries(draft)
    .filter(([name, { value }]) => cleaned(name, value) === undefined)
    .map(([name]) => name)
