import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { TSchema } from 'typebox'
import { AppError, type Because } from '../../platform/errors.ts'

/** Nothing is coerced, nothing removed, nothing filled in but defaults of parameters. */
const ajv = new Ajv({
  strict: true,
  allowUnionTypes: true,
  useDefaults: true,
  strictTypes: false,
  strictRequired: false,
  // They are checked by a test: to compile what checks them holds up everybody for 20 ms, at the first request.
  validateSchema: false,
  meta: false,
  // V8 does the same by itself: to tidy up the code of a schema takes longer than to write it.
  code: { optimize: false },
})
addFormats.default(ajv, ['uuid', 'date-time', 'email', 'int32', 'float'])

const compiled = new WeakMap<TSchema, ValidateFunction>()

const compile = (schema: TSchema): ValidateFunction => {
  const cached = compiled.get(schema)
  if (cached) return cached
  const validate = ajv.compile(schema)
  compiled.set(schema, validate)
  return validate
}

export type Part = 'params' | 'query' | 'body'

/** Compiled when it is first needed: most of an API is never called between two starts. */
export const requireValid = (schema: TSchema, value: unknown, part: Part): void => {
  const validate = compile(schema)
  if (validate(value)) return
  const [error] = validate.errors ?? []
  const { path, message, ...because } = error ? inWords(error, part) : { path: '', message: 'is not valid' }
  const subject = path.replace(/^\//, '') || 'The body'
  throw new AppError('validation_failed', `${subject} ${message}.`, { details: [{ path, message }], ...because })
}

/** What a reply has that its contract does not, or lacks. */
export const mismatch = (schema: TSchema, value: unknown): string | undefined => {
  const validate = compile(schema)
  return validate(value) ? undefined : ajv.errorsText(validate.errors)
}

interface Words extends Partial<Because> {
  readonly path: string
  readonly message: string
}

const inWords = (error: ErrorObject, part: Part): Words => {
  const { keyword, instancePath } = error
  const params = error.params as Params
  const below = params.additionalProperty ?? params.missingProperty
  const pointer =
    below === undefined ? instancePath : `${instancePath}/${below.replaceAll('~', '~0').replaceAll('/', '~1')}`
  const message = messages[keyword]?.(params) ?? error.message ?? 'is not valid'
  return { path: part === 'body' ? pointer : pointer.slice(1), message, ...reasons[keyword]?.(params) }
}

/** These keywords have parameters; what they mean stands in the documentation of Ajv. */
interface Params {
  readonly additionalProperty?: string
  readonly missingProperty?: string
  readonly allowedValues?: readonly unknown[]
  readonly allowedValue?: unknown
  readonly format?: string
  readonly limit?: number
  readonly type?: string | readonly string[]
}

const messages: Readonly<Record<string, (params: Params) => string>> = {
  additionalProperties: () => 'is not a field of this request',
  required: () => 'is missing',
  enum: ({ allowedValues = [] }) => `must be one of ${allowedValues.map(String).join(', ')}`,
  const: ({ allowedValue }) => `must be ${String(allowedValue)}`,
  format: ({ format = '' }) => `must be ${formatNames[format] ?? 'of another form'}`,
  type: ({ type = [] }) =>
    `must be ${[type]
      .flat()
      .map((name) => typeNames[name] ?? name)
      .join(' or ')}`,
  anyOf: () => 'is none of the forms this may have',
  pattern: () => 'has characters it may not have',
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  minLength: ({ limit }) => `must have at least ${counted(limit, 'character')}`,
  maxLength: ({ limit }) => `must have at most ${counted(limit, 'character')}`,
  minItems: ({ limit }) => `must have at least ${counted(limit, 'item')}`,
  maxItems: ({ limit }) => `must have at most ${counted(limit, 'item')}`,
  maxProperties: ({ limit }) => `must have at most ${counted(limit, 'field')}`,
  uniqueItems: () => 'must not hold anything twice',
}

/** Programs say the same in words of their own. */
const reasons: Readonly<Record<string, (params: Params) => Because>> = {
  additionalProperties: () => ({ reason: 'field_unknown' }),
  required: () => ({ reason: 'field_missing' }),
  enum: () => ({ reason: 'value_unknown' }),
  const: () => ({ reason: 'value_unknown' }),
  format: ({ format }) => ({ reason: format === 'email' ? 'email_wrong' : 'form_wrong' }),
  type: () => ({ reason: 'type_wrong' }),
  anyOf: () => ({ reason: 'form_wrong' }),
  pattern: () => ({ reason: 'characters_wrong' }),
  minimum: ({ limit = 0 }) => ({ reason: 'number_low', values: { least: limit } }),
  maximum: ({ limit = 0 }) => ({ reason: 'number_high', values: { most: limit } }),
  minLength: ({ limit = 0 }) => ({ reason: 'text_short', values: { least: limit } }),
  maxLength: ({ limit = 0 }) => ({ reason: 'text_long', values: { most: limit } }),
  minItems: ({ limit = 0 }) => ({ reason: 'items_few', values: { least: limit } }),
  maxItems: ({ limit = 0 }) => ({ reason: 'items_many', values: { most: limit } }),
  maxProperties: ({ limit = 0 }) => ({ reason: 'items_many', values: { most: limit } }),
  uniqueItems: () => ({ reason: 'said_twice' }),
}

const counted = (limit = 0, what: string): string => `${limit} ${what}${limit === 1 ? '' : 's'}`

const typeNames: Readonly<Record<string, string>> = {
  object: 'an object',
  array: 'a list',
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
}

const formatNames: Record<string, string> = {
  uuid: 'a UUID',
  'date-time': 'a date and time such as 2026-11-21T10:00:00.000Z',
  email: 'an e-mail address',
}
