import {
  type BookCondition,
  bookFields,
  conditionLimits,
  type ConditionTarget,
  type FieldKind,
  fieldWithRole,
  operators,
  readStatuses,
  type SeriesCondition,
  seriesFields,
} from '@carrel/api'
import { invalid } from '../platform/errors.ts'
import { isInstant } from './instant.ts'

export type Condition = SeriesCondition | BookCondition

/** The same groups, over other fields than ours. */
export type ConditionOf<Leaf> =
  | { readonly allOf: readonly ConditionOf<Leaf>[] }
  | { readonly anyOf: readonly ConditionOf<Leaf>[] }
  | { readonly not: ConditionOf<Leaf> }
  | Leaf

const groupNames = ['allOf', 'anyOf', 'not'] as const
type GroupName = (typeof groupNames)[number]

export const isGroup = (name: string): name is GroupName => (groupNames as readonly string[]).includes(name)

export const fieldsOf = (target: ConditionTarget): Readonly<Record<string, FieldKind>> =>
  target === 'series' ? seriesFields : bookFields

/** It belongs to the whole of one condition. */
interface Walk {
  readonly fields: Readonly<Record<string, FieldKind>>
  readonly target: ConditionTarget
  leaves: number
}

/**
 * It parses any JSON as a condition over series or books; an invalid one is refused with the place where it goes wrong,
 * below `at`: a JSON pointer such as `/condition`. It looks no deeper than a condition may be.
 */
export const requireCondition = (target: ConditionTarget, json: unknown, at: string): Condition => {
  requireNode({ fields: fieldsOf(target), target, leaves: 0 }, json, { at, depth: 0 })
  return json as Condition
}

interface ConditionPosition {
  readonly at: string
  /** It counts the groups around it. */
  readonly depth: number
}

const requireNode = (walk: Walk, json: unknown, { at, depth }: ConditionPosition): void => {
  if (!isObject(json)) throw refused(at, 'must be an object: a condition')
  const [name, ...others] = Object.keys(json)
  if (name === undefined) throw refused(at, 'must have one of allOf, anyOf, not, or one field')
  if (others.length > 0) throw refused(at, 'must have one field only; put several into allOf or anyOf')
  const below = pointer(at, name)
  if (isGroup(name)) {
    requireGroup(walk, { name, value: json[name] }, { at: below, depth: depth + 1 })
    return
  }
  if (!Object.hasOwn(walk.fields, name))
    throw refused(below, `is not a field of ${walk.target}; there are ${Object.keys(walk.fields).join(', ')}`)
  countLeaf(walk, below)
  requireTest({ name, kind: walk.fields[name] ?? 'text' }, json[name], below)
}

interface Group {
  readonly name: GroupName
  readonly value: unknown
}

const requireGroup = (walk: Walk, { name, value }: Group, { at, depth }: ConditionPosition): void => {
  if (depth > conditionLimits.depth) throw refused(at, `is nested more than ${conditionLimits.depth} groups deep`)
  if (name === 'not') {
    requireNode(walk, value, { at, depth })
    return
  }
  if (!Array.isArray(value)) throw refused(at, 'must be a list of conditions')
  if (value.length === 0) countLeaf(walk, at)
  for (const [index, item] of value.entries()) requireNode(walk, item, { at: `${at}/${index}`, depth })
}

const countLeaf = (walk: Walk, at: string): void => {
  walk.leaves += 1
  if (walk.leaves > conditionLimits.leaves)
    throw refused(at, `is one too many: a condition has at most ${conditionLimits.leaves} fields`)
}

type Groups = Readonly<Partial<Record<'value' | 'values' | 'range' | 'nothing', readonly string[]>>>

interface Field {
  readonly name: string
  readonly kind: FieldKind
}

const requireTest = ({ name: field, kind }: Field, json: unknown, at: string): void => {
  if (!isObject(json)) throw refused(at, 'must be an object with an operator')
  const groups: Groups = operators[kind]
  const { operator } = json
  if (operator === undefined) throw refused(pointer(at, 'operator'), 'is missing')
  const [form] = Object.entries(groups).find(([, words]) => words.some((word) => word === operator)) ?? []
  if (form === undefined)
    throw refused(pointer(at, 'operator'), `must be one of ${Object.values(groups).flat().join(', ')}`)
  const operands = operandsOf(kind, form)
  const hasRole = field === fieldWithRole && form === 'value' && json.role !== undefined
  const allowed = ['operator', ...operands, ...(hasRole ? ['role'] : [])]
  const extra = Object.keys(json).find((name) => !allowed.includes(name))
  if (extra !== undefined) throw refused(pointer(at, extra), 'is not a field of this operator')
  if (hasRole) requireValue('text', json.role, pointer(at, 'role'))
  for (const name of operands) requireOperand(kind, { form, value: json[name] }, pointer(at, name))
}

const operandsOf = (kind: FieldKind, form: string): readonly string[] => {
  if (form === 'range') return kind === 'date' ? ['start', 'end'] : ['min', 'max']
  return form === 'nothing' ? [] : [form]
}

const requireOperand = (kind: FieldKind, { form, value }: { form: string; value: unknown }, at: string): void => {
  if (form === 'values') {
    if (!Array.isArray(value)) throw refused(at, value === undefined ? 'is missing' : 'must be a list')
    if (value.length > conditionLimits.values) throw refused(at, `must have at most ${conditionLimits.values} items`)
    for (const [index, item] of value.entries()) requireValue(kind, item, `${at}/${index}`)
    return
  }
  // A range may be open at its ends.
  if (form === 'range' && (value === undefined || value === null)) return
  if (value === undefined) throw refused(at, 'is missing')
  requireValue(kind, value, at)
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const requireValue = (kind: FieldKind, value: unknown, at: string): void => {
  if (kind === 'number') {
    if (typeof value !== 'number' || !Number.isFinite(value)) throw refused(at, 'must be a number')
    return
  }
  if (typeof value !== 'string') throw refused(at, 'must be text')
  if (kind === 'id' && !uuid.test(value)) throw refused(at, 'must be a UUID')
  if (kind === 'date' && !isInstant(value))
    throw refused(at, 'must be a date and time such as 2026-11-21T10:00:00.000Z')
  if (kind === 'status' && !readStatuses.some((each) => each === value))
    throw refused(at, `must be one of ${readStatuses.join(', ')}`)
  if (value.length > conditionLimits.textLength)
    throw refused(at, `must have at most ${conditionLimits.textLength} characters`)
  // Neither database can store these.
  if (value.includes('\0') || !value.isWellFormed())
    throw refused(at, 'must not hold a null character or half a character')
}

const isObject = (json: unknown): json is Readonly<Record<string, unknown>> =>
  typeof json === 'object' && json !== null && !Array.isArray(json)

const longestName = 100

const pointer = (at: string, name: string): string =>
  `${at}/${name.slice(0, longestName).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')}`

const refused = (at: string, message: string) => invalid(at, `${at.replace(/^\//, '')} ${message}.`)

/** The one group or field that a condition is. */
export const nodeOf = (condition: object): { readonly name: string; readonly value: unknown } => {
  const [part] = Object.entries(condition) as [string, unknown][]
  if (!part) throw new Error('A condition that was not checked')
  const [name, value] = part
  return { name, value }
}

/** The fields that a condition asks about, however deep. */
export const fieldsIn = (condition: Condition): ReadonlySet<string> => {
  const { name, value } = nodeOf(condition)
  if (!isGroup(name)) return new Set([name])
  const items = (name === 'not' ? [value] : value) as readonly Condition[]
  return new Set(items.flatMap((each) => [...fieldsIn(each)]))
}
