import type { PluginManifestDto } from '@carrel/api'
import { invalid } from '../../platform/errors.ts'

type Form = NonNullable<PluginManifestDto['userConfigSchema']>

/** It checks a config against the plugin's form. A schema that is no form is the plugin's own to check. */
export const requireConfig = (
  form: Form | null,
  isConfigurable: boolean,
  config: Readonly<Record<string, unknown>>,
): void => {
  if (!isConfigurable && Object.keys(config).length > 0)
    throw invalid('/config', 'This plugin has nothing to configure.')
  if (!form) return
  const fields = new Map(form.fields.map((field) => [field.key, field]))
  for (const [key, value] of Object.entries(config)) {
    const field = fields.get(key)
    if (!field) throw invalid(`/config/${key}`, 'This plugin has no such field.')
    const problem = value === null ? undefined : problemOf(field.type, value)
    if (problem !== undefined) throw invalid(`/config/${key}`, `${field.label} must be ${problem}.`)
  }
  for (const { key, label, required, default: usual } of form.fields)
    if (required === true && usual === undefined && config[key] == null)
      throw invalid(`/config/${key}`, `${label} is required.`)
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)
const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((each: unknown) => typeof each === 'string')

const problemOf = (type: string, value: unknown): string | undefined => {
  switch (type) {
    case 'string':
      return typeof value === 'string' ? undefined : 'a text'
    case 'number':
      return typeof value === 'number' ? undefined : 'a number'
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'true or false'
    case 'string-array':
      return isTexts(value) ? undefined : 'a list of texts'
    case 'object':
      return isObject(value) ? undefined : 'an object'
    default:
      return undefined
  }
}
