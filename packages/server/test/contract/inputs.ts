import { davMethods, type Endpoint, methods } from '@carrel/api'
import type { TSchema } from 'typebox'

/** Parts of a schema as the walks over the contract read them. */
export interface JsonSchema {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly anyOf?: readonly JsonSchema[]
  readonly examples?: readonly unknown[]
}

export const schemaOf = (schema: TSchema | undefined): JsonSchema => schema ?? {}

export const unknownId = '019aa3b2-0000-7000-8000-00000000dead'

/** The address of an endpoint with every parameter filled in by something of the right form that does not exist. */
export const addressOf = ({ path, shape }: Endpoint, replaced: Readonly<Record<string, string>> = {}): string => {
  const { properties = {} } = schemaOf(shape.params)
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    return encodeURIComponent(replaced[name] ?? (name === 'prefix' ? 'komga' : someValueOf(properties[name])))
  })
}

export const someValueOf = ({ format, type, enum: words }: JsonSchema = {}): string => {
  if (format === 'uuid') return unknownId
  if (words) return String(words[0])
  return type === 'integer' ? '1' : 'nothing-of-this-name'
}

/** A value that the schema does not take, whatever it is; undefined where it takes everything. */
export const wrongValueFor = (schema: JsonSchema): unknown => {
  const kinds = [schema, ...(schema.anyOf ?? [])].flatMap(({ type, enum: words, const: word }) =>
    words || word !== undefined ? ['string'] : [type ?? []].flat(),
  )
  if (kinds.length === 0) return undefined
  if (!kinds.includes('object')) return { not: 'this' }
  return 12
}

/** The same for a parameter, which always arrives as text. */
export const wrongTextFor = ({ type, format, enum: words }: JsonSchema): string | undefined => {
  if (type === 'integer' || type === 'number') return 'twelve'
  if (type === 'boolean') return 'perhaps'
  if (format === 'uuid') return 'not-a-uuid'
  return words ? 'none-of-these' : undefined
}

export const otherMethodsOf = (endpoints: readonly Endpoint[], path: string): string[] =>
  [...methods, ...davMethods].filter(
    (method) => !endpoints.some((each) => each.path === path && each.method === method),
  )

/** Every door is open; the one for apps made for Komga is closed until somebody opens it. */
export const doorsOpen = { CARREL_SETTING_COMPAT_ENABLED: 'true' } as const

/** It never ends by itself, so that nobody can wait for the whole of it. */
export const isStream = ({ shape }: Endpoint): boolean => shape.mediaType === 'text/event-stream'
