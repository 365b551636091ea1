import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import type { TSchema } from 'typebox'
import { AppError } from '../platform/errors.ts'

/** Nothing is coerced, nothing removed, nothing filled in but defaults of parameters. */
const ajv = new Ajv({
  strict: true,
  allowUnionTypes: true,
  useDefaults: true,
  strictTypes: false,
  strictRequired: false,
})
addFormats.default(ajv, ['uuid', 'date-time', 'email'])

const compiled = new WeakMap<TSchema, ValidateFunction>()

const compile = (schema: TSchema): ValidateFunction => {
  const known = compiled.get(schema)
  if (known) return known
  const validate = ajv.compile(schema)
  compiled.set(schema, validate)
  return validate
}

export type Part = 'params' | 'query' | 'body'

/** Compiled when it is first needed: most of an API is never called between two starts. */
export const requireValid = (schema: TSchema, value: unknown, part: Part): void => {
  const validate = compile(schema)
  if (validate(value)) return
  const problems = (validate.errors ?? []).slice(0, 1).map((error) => inWords(error, part))
  const [first] = problems
  throw new AppError(
    'validation_failed',
    first ? `${first.path || 'The body'} ${first.message}.` : 'The request is not valid.',
    {
      details: problems,
    },
  )
}

/** What a reply has that its contract does not, or lacks. */
export const mismatch = (schema: TSchema, value: unknown): string | undefined => {
  const validate = compile(schema)
  return validate(value) ? undefined : ajv.errorsText(validate.errors)
}

const inWords = (error: ErrorObject, part: Part): { path: string; message: string } => {
  const { keyword, instancePath, params, message = 'is not valid' } = error
  const { additionalProperty, missingProperty, allowedValues, allowedValue } = params as Params
  const path = (more?: string): string => {
    const pointer =
      more === undefined ? instancePath : `${instancePath}/${more.replaceAll('~', '~0').replaceAll('/', '~1')}`
    return part === 'body' ? pointer : pointer.slice(1)
  }
  switch (keyword) {
    case 'additionalProperties':
      return { path: path(additionalProperty), message: 'is not a field of this request' }
    case 'required':
      return { path: path(missingProperty), message: 'is missing' }
    case 'enum':
      return { path: path(), message: `must be one of ${(allowedValues ?? []).map(String).join(', ')}` }
    case 'const':
      return { path: path(), message: `must be ${String(allowedValue)}` }
    case 'format':
      return { path: path(), message: `must be ${formatNames[String(params.format)] ?? 'of another form'}` }
    default:
      return { path: path(), message }
  }
}

/** Of the keywords that have any; what they mean stands in the documentation of Ajv. */
interface Params {
  readonly additionalProperty?: string
  readonly missingProperty?: string
  readonly allowedValues?: readonly unknown[]
  readonly allowedValue?: unknown
}

const formatNames: Record<string, string> = {
  uuid: 'a UUID',
  'date-time': 'a date and time such as 2026-11-21T10:00:00.000Z',
  email: 'an e-mail address',
}
