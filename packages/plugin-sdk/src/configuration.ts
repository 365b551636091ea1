import type { Static, TObject, TSchema } from 'typebox'
import { Check, Clone, Default, Errors } from 'typebox/value'
import { PluginError } from './plugin-error.ts'
import type { ConfigField, ConfigSchema, CredentialField } from './protocol/index.ts'

/** The words of a schema, as JSON Schema has them. */
interface SchemaNode {
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly examples?: unknown
  readonly required?: readonly string[]
  readonly type?: unknown
  readonly items?: { readonly type?: unknown }
}
const wordsOf = (schema: TSchema | undefined): SchemaNode => schema ?? {}

/** The form of a host, from the schema that is checked: written once. */
export const configSchemaOf = (schema: TObject): ConfigSchema => {
  const { description, required = [] } = wordsOf(schema)
  return {
    ...(description !== undefined && { description }),
    fields: Object.entries(schema.properties).map(([key, property]) => fieldOf(key, property, required.includes(key))),
  }
}

const fieldOf = (key: string, property: TSchema, isRequired: boolean): ConfigField => {
  const words = wordsOf(property)
  const example: unknown = Array.isArray(words.examples) ? words.examples[0] : words.examples
  return {
    key,
    label: words.title ?? key,
    type: typeOf(words),
    required: isRequired && words.default === undefined,
    ...(words.description !== undefined && { description: words.description }),
    ...(words.default !== undefined && { default: words.default }),
    ...(example !== undefined && { example }),
  }
}

const typeOf = ({ type, items }: SchemaNode): string => {
  if (type === 'integer') return 'number'
  if (type === 'array') return items?.type === 'string' ? 'string-array' : 'object'
  return typeof type === 'string' ? type : 'object'
}

/** It reads the configuration, with defaults for missing values; a mistake is reported with the label of the field. */
export const readConfig = <S extends TObject>(schema: S, given: unknown): Static<S> => {
  const config = Default(schema, Clone(given ?? {}))
  if (Check(schema, config)) return config
  const wrong = Errors(schema, config)[0]
  const missing = wrong?.keyword === 'required' ? wrong.params.requiredProperties[0] : undefined
  const key = missing ?? wrong?.instancePath.split('/')[1] ?? ''
  const { title = key } = wordsOf(schema.properties[key])
  const label = title === key ? `"${key}"` : `"${title}" (${key})`
  const why = missing === undefined ? (wrong?.message ?? 'is not right') : 'is missing'
  throw new PluginError('config_error', `The configuration is not right: ${label} ${why}.`)
}

/** A host hands credentials over with `initialize`, in variables named like them in capitals, or in both ways. */
export const readCredentials = (
  fields: readonly CredentialField[],
  given: Readonly<Record<string, string>>,
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> => {
  const credentials: Record<string, string> = { ...given }
  for (const { key, label, required } of fields) {
    const value = given[key] ?? environment[key.toUpperCase()]
    if (value !== undefined && value !== '') credentials[key] = value
    else if (required === true) throw new PluginError('config_error', `A credential is missing: "${label}" (${key}).`)
  }
  return credentials
}
