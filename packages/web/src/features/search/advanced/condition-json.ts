import { conditionLimits, type ConditionTarget, operators, readStatuses } from '@carrel/api'
import { fieldsOf, type Tree } from '../../../text/condition-text.ts'
import { isFinished } from './builder.ts'
import { whereJsonEnds } from './json-end.ts'

type Fault = 'json' | 'object' | 'one' | 'list' | 'field' | 'operator' | 'value' | 'deep' | 'many'

/** It says where a text is wrong: a pointer such as `/allOf/0/genre`, or for what is no JSON the line. */
export interface JsonFault {
  readonly at: string
  readonly fault: Fault
}

type Outcome = { readonly tree: Tree } | JsonFault

/** It reads pasted text as a condition. */
export const conditionFromJson = (target: ConditionTarget, text: string): Outcome => {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return { at: lineOf(text, whereJsonEnds(text)), fault: 'json' }
  }
  const walk = { target, leaves: 0 }
  return faultIn(walk, json, { at: '', depth: 0 }) ?? { tree: json as Tree }
}

const lineOf = (text: string, position: number): string => String(text.slice(0, position).split('\n').length)

interface Walk {
  readonly target: ConditionTarget
  leaves: number
}
interface JsonPosition {
  readonly at: string
  readonly depth: number
}

const isObject = (json: unknown): json is Readonly<Record<string, unknown>> =>
  typeof json === 'object' && json !== null && !Array.isArray(json)

const faultIn = (walk: Walk, json: unknown, { at, depth }: JsonPosition): JsonFault | undefined => {
  if (!isObject(json)) return { at, fault: 'object' }
  const [name, ...others] = Object.keys(json)
  if (name === undefined || others.length > 0) return { at, fault: 'one' }
  const below = { at: `${at}/${name}`, depth: depth + 1 }
  if (['allOf', 'anyOf', 'not'].includes(name) && below.depth > conditionLimits.depth)
    return { at: below.at, fault: 'deep' }
  if (name === 'not') return faultIn(walk, json[name], below)
  if (name === 'allOf' || name === 'anyOf') return faultInList(walk, json[name], below)
  return countLeaf(walk, below.at) ?? faultInTest(walk.target, { field: name, json: json[name] }, below.at)
}

const faultInList = (walk: Walk, json: unknown, { at, depth }: JsonPosition): JsonFault | undefined => {
  if (!Array.isArray(json)) return { at, fault: 'list' }
  if (json.length === 0) return countLeaf(walk, at)
  for (const [index, each] of json.entries()) {
    const fault = faultIn(walk, each, { at: `${at}/${index}`, depth })
    if (fault) return fault
  }
  return undefined
}

const countLeaf = (walk: Walk, at: string): JsonFault | undefined => {
  walk.leaves += 1
  return walk.leaves > conditionLimits.leaves ? { at, fault: 'many' } : undefined
}

interface Leaf {
  readonly field: string
  readonly json: unknown
}

const faultInTest = (target: ConditionTarget, { field, json }: Leaf, at: string): JsonFault | undefined => {
  const kind = Object.hasOwn(fieldsOf(target), field) ? fieldsOf(target)[field] : undefined
  if (kind === undefined) return { at, fault: 'field' }
  if (!isObject(json)) return { at, fault: 'object' }
  const { operator } = json
  const operatorNames: readonly string[] = Object.values(operators[kind]).flat()
  if (typeof operator !== 'string' || !operatorNames.includes(operator))
    return { at: `${at}/operator`, fault: 'operator' }
  const isStatus = kind !== 'status' || readStatuses.some((each) => each === json.value)
  const isList =
    json.values === undefined || (Array.isArray(json.values) && json.values.every((each) => typeof each === 'string'))
  if (!isFinished(kind, { ...json, operator }) || !isStatus || !isList) return { at, fault: 'value' }
  return undefined
}
