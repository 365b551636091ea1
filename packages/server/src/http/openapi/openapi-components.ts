import { isDeepStrictEqual } from 'node:util'
import { conditionGrammars } from '@carrel/api'
import type { TSchema } from 'typebox'

export type Json = Record<string, unknown>

type Kind = 'parameters' | 'headers' | 'responses' | 'examples'

/** What stands in many places of the document stands in it once, under a name. */
export interface Components {
  /** Puts a component in its place and answers the reference to it. */
  readonly refer: (kind: Kind, name: string, component: Json) => Json
  /** The same for a schema that has a title; what has none is written where it stands. */
  readonly write: (schema: TSchema | Json) => Json
  /** An example of a schema with a title stands once, however many operations show it. */
  readonly exampleOf: (schema: TSchema | Json, example: unknown) => Json
  readonly inOrder: () => Json
}

export const collectComponents = (): Components => {
  const kinds = {
    parameters: new Map<string, Json>(),
    headers: new Map<string, Json>(),
    responses: new Map<string, Json>(),
    examples: new Map<string, Json>(),
    schemas: new Map<string, Json>(),
  }
  const refer: Components['refer'] = (kind, name, component) => {
    const existing = kinds[kind].get(name) ?? component
    if (!isDeepStrictEqual(existing, component)) throw new Error(`Two ${kind} of the document are called ${name}`)
    kinds[kind].set(name, component)
    return { $ref: `#/components/${kind}/${name}` }
  }
  return {
    refer,
    write: schemaWriter(kinds.schemas),
    exampleOf: (schema, example) => {
      if (example === undefined) return {}
      const { title } = schema as { title?: string }
      const component = { value: example }
      const existing = title === undefined ? undefined : (kinds.examples.get(title) ?? component)
      if (title === undefined || !isDeepStrictEqual(existing, component)) return { example }
      return { examples: { [title]: refer('examples', title, component) } }
    },
    inOrder: () => Object.fromEntries(Object.entries(kinds).map(([kind, named]) => [kind, sorted(named)])),
  }
}

const sorted = (named: ReadonlyMap<string, Json>): Json =>
  Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1)))

/** A schema with a title becomes a component of that name, wherever it stands. */
const schemaWriter = (components: Map<string, Json>): Components['write'] => {
  const write: Components['write'] = (schema) => {
    const { title, ...rest } = schema as Json & { title?: string }
    if (title === undefined) return walk(rest)
    if (!components.has(title)) {
      components.set(title, {})
      components.set(title, walk((conditionGrammars[title] as Json | undefined) ?? rest))
    }
    return { $ref: `#/components/schemas/${title}` }
  }
  const walk = (value: Json): Json => ({
    ...Object.fromEntries(
      Object.entries(value).map(([key, item]) => [
        key,
        key === 'properties' ? properties(item as Json) : inner(key, item),
      ]),
    ),
    ...numberFormatOf(value),
  })
  const properties = (record: Json): Json =>
    Object.fromEntries(Object.entries(record).map(([name, item]) => [name, write(item as Json)]))
  const inner = (key: string, item: unknown): unknown => {
    if (key === 'items' || key === 'additionalProperties') return typeof item === 'object' ? write(item as Json) : item
    if (key === 'patternProperties') return properties(item as Json)
    if (key === 'anyOf' || key === 'oneOf' || key === 'allOf') return (item as Json[]).map(write)
    return item
  }
  return write
}

/** A number whose schema names no format gets the widest one of its type. */
const numberFormatOf = ({ type, format, enum: values }: Json): Json => {
  if (format !== undefined || values !== undefined) return {}
  const types = [type].flat()
  return types.includes('integer') ? { format: 'int64' } : types.includes('number') ? { format: 'double' } : {}
}
