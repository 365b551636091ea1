import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { Errors } from 'typebox/value'

/** Required fields are exact, everything else is open: a newer side may send unknown fields, and they are ignored. */
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

export const Json = Type.Unknown()

export const JsonObject = Type.Record(Type.String(), Type.Unknown())

/** The format is not checked further here: plugins send dates, times, and times without a zone. */
export const Moment = Type.String({ description: 'A date or a time as ISO 8601 writes it.' })

const checks = new WeakMap<TSchema, (value: unknown) => boolean>()

/** Compiled once: a library of twenty thousand series is checked in a tenth of the time. */
const checkOf = (schema: TSchema): ((value: unknown) => boolean) => {
  const cached = checks.get(schema)
  if (cached) return cached
  const compiled = Compile(schema)
  const check = (value: unknown): boolean => compiled.Check(value)
  checks.set(schema, check)
  return check
}

export const fits = <S extends TSchema>(schema: S, value: unknown): value is Static<S> => checkOf(schema)(value)

/** The first thing that is wrong with a value, as a sentence that names the path; nothing when it fits. */
export const misfitOf = (schema: TSchema, value: unknown): string | undefined => {
  if (checkOf(schema)(value)) return undefined
  const { instancePath = '', message = 'does not fit' } = Errors(schema, value)[0] ?? {}
  const path = instancePath.slice(1).replaceAll('/', '.')
  return `${path === '' ? 'the whole' : path} ${message}`
}

const roundsMax = 10

/**
 * It takes out of a value what does not fit, as long as it fits without: a property that may be absent, a member of a
 * list. What was wrong first, as `misfitOf` says it, and whether the rest can be used; nothing when all of it fits.
 */
export const takeOutMisfits = (
  schema: TSchema,
  value: unknown,
): { readonly misfit: string; readonly isUsable: boolean } | undefined => {
  const misfit = misfitOf(schema, value)
  if (misfit === undefined) return undefined
  const before = listsOf(value)
  for (let round = 0; round < roundsMax && !fits(schema, value); round += 1) {
    const paths = new Set(Errors(schema, value).map(({ instancePath }) => instancePath))
    for (const path of innermost(paths)) takeOut(value, path)
  }
  // A list of nothing but misfits is no answer with an empty list.
  const isUsable = fits(schema, value) && listsOf(value).every((length, index) => length > 0 || before[index] === 0)
  return { misfit, isUsable }
}

/** It returns the lengths of the lists of an object, in the order of its properties. */
const listsOf = (value: unknown): number[] =>
  typeof value === 'object' && value !== null
    ? Object.values(value).map((each) => (Array.isArray(each) ? each.length : 0))
    : []

/** The later of a list before the earlier, so that their numbers still hold. */
const innermost = (paths: ReadonlySet<string>): string[] => {
  const all = [...paths].toSorted((one, other) => other.localeCompare(one, 'en', { numeric: true }))
  return all.filter((path) => path !== '' && !all.some((other) => other.startsWith(`${path}/`)))
}

const takeOut = (value: unknown, path: string): void => {
  const keys = path.slice(1).split('/').map(unescaped)
  const last = keys.pop() ?? ''
  const holder = keys.reduce<unknown>((each, key) => (each as Record<string, unknown> | undefined)?.[key], value)
  if (Array.isArray(holder)) holder.splice(Number(last), 1)
  else if (typeof holder === 'object' && holder !== null) Reflect.deleteProperty(holder, last)
}

const unescaped = (key: string): string => key.replaceAll('~1', '/').replaceAll('~0', '~')
