import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { Errors } from 'typebox/value'

/**
 * What is required is exact, everything else is open: a side that is newer may send fields the other has never heard of,
 * and they are passed over.
 */
export const message = <Properties extends TProperties>(
  properties: Properties,
  options: { readonly description?: string } = {},
): TObject<Properties> => Type.Object(properties, options)

/** May be absent or null, which mean the same: plugins are written in languages that say it in one way or the other. */
export const Maybe = <S extends TSchema>(schema: S) =>
  Type.Optional(Type.Unsafe<Static<S> | null | undefined>({ anyOf: [schema, { type: 'null' }] }))

/** One of these words, or one that only a newer side knows: whoever reads it must have an answer for that. */
export const Word = <const Words extends readonly string[]>(words: Words, description?: string) =>
  Type.Unsafe<Words[number] | (string & Record<never, never>)>({
    type: 'string',
    examples: [...words],
    ...(description !== undefined && { description }),
  })

export const Texts = Type.Array(Type.String())

/** Any JSON value. */
export const Json = Type.Unknown()

/** An object with any keys. */
export const JsonObject = Type.Record(Type.String(), Type.Unknown())

/** As ISO 8601 writes it. Not checked further here: plugins send dates, times, and times without a zone. */
export const Moment = Type.String({ description: 'A date or a time as ISO 8601 writes it.' })

const checks = new WeakMap<TSchema, (value: unknown) => boolean>()

/** Compiled once: a library of twenty thousand series is checked in a tenth of the time. */
const checkOf = (schema: TSchema): ((value: unknown) => boolean) => {
  const known = checks.get(schema)
  if (known) return known
  const compiled = Compile(schema)
  const check = (value: unknown): boolean => compiled.Check(value)
  checks.set(schema, check)
  return check
}

export const fits = <S extends TSchema>(schema: S, value: unknown): value is Static<S> => checkOf(schema)(value)

/** The first thing that is wrong with a value, as a sentence that names the place; nothing when it fits. */
export const misfitOf = (schema: TSchema, value: unknown): string | undefined => {
  if (checkOf(schema)(value)) return undefined
  const { instancePath = '', message = 'does not fit' } = Errors(schema, value)[0] ?? {}
  const place = instancePath.slice(1).replaceAll('/', '.')
  return `${place === '' ? 'the whole' : place} ${message}`
}
