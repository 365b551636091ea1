import type { TSchema } from 'typebox'
import { numberIn, truthIn, wholeIn } from '../../platform/text/spelled-values.ts'

/**
 * A body in which numbers and truth values may be spelled as text: where the contract wants one and text is none of what it
 * takes there, text becomes what it spells. Everything else stays as it is, for the validation to judge.
 */
export const decodeBody = (schema: TSchema, value: unknown): unknown => {
  const shape = schema as BodySchema
  if (typeof value === 'string') return decodeText(shape, value)
  if (Array.isArray(value)) {
    const items = branchesOf(shape).find((branch) => branch.items)?.items
    return items ? value.map((item) => decodeBody(items, item)) : value
  }
  return isObject(value) ? decodeObject(shape, value) : value
}

/** This part of a schema says what stands where. */
interface BodySchema {
  readonly type?: string | readonly string[]
  readonly anyOf?: readonly BodySchema[]
  readonly items?: TSchema
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly additionalProperties?: TSchema | boolean
  readonly enum?: readonly unknown[]
  readonly const?: unknown
}

/** Every form that the value may have. */
const branchesOf = (schema: BodySchema): readonly BodySchema[] => schema.anyOf?.flatMap(branchesOf) ?? [schema]

const decodeText = (schema: BodySchema, text: string): unknown => {
  const branches = branchesOf(schema)
  const isAnything = branches.some((each) => each.type === undefined && each.enum === undefined && !('const' in each))
  const types = branches.flatMap(({ type = [] }) => type)
  if (isAnything || types.includes('string')) return text
  const counts = types.includes('integer') || types.includes('number')
  // A field of a form that was emptied.
  if (text === '' && counts && types.includes('null')) return null
  const number = types.includes('number') ? numberIn(text) : types.includes('integer') ? wholeIn(text) : undefined
  return number ?? (types.includes('boolean') ? truthIn(text) : undefined) ?? text
}

const decodeObject = (schema: BodySchema, value: Readonly<Record<string, unknown>>): unknown => {
  const branch = branchesOf(schema).find(
    ({ properties, additionalProperties }) => properties ?? isObject(additionalProperties),
  )
  if (!branch) return value
  const { properties = {}, additionalProperties } = branch
  const others = isObject(additionalProperties) ? (additionalProperties as TSchema) : undefined
  const decoded = Object.entries(value).map(([name, each]): [string, unknown] => {
    const below = Object.hasOwn(properties, name) ? properties[name] : others
    return [name, below ? decodeBody(below, each) : each]
  })
  return Object.fromEntries(decoded)
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
