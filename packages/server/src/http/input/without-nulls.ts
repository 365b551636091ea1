import type { TSchema } from 'typebox'

interface Described {
  readonly type?: string | readonly string[]
  readonly anyOf?: readonly Described[]
  readonly properties?: Readonly<Record<string, Described>>
  readonly required?: readonly string[]
}

/** What a client that writes null for whatever it does not have meant: optional fields that may not be null are left out. */
export const withoutNulls = (schema: TSchema, value: unknown): unknown => without(schema, value)

const without = ({ properties = {}, required = [] }: Described, value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const entries = Object.entries(value as Record<string, unknown>)
  return Object.fromEntries(
    entries.flatMap(([key, item]) => {
      const property = Object.hasOwn(properties, key) ? properties[key] : undefined
      if (!property) return [[key, item]]
      if (item === null && !required.includes(key) && !mayBeNull(property)) return []
      return [[key, without(property, item)]]
    }),
  )
}

const mayBeNull = ({ type, anyOf = [] }: Described): boolean =>
  [type].flat().includes('null') || anyOf.some((each) => mayBeNull(each))
