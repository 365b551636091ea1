import type { Because } from '../../platform/errors.ts'
import type { SettingDto, SettingValue } from '@carrel/api'
import { cronProblem } from '../../tasks/schedule.ts'

/** A setting an administrator changes while the server runs. */
export interface Definition<Value extends SettingValue = SettingValue> {
  readonly valueType: SettingDto['valueType']
  readonly defaultValue: Value
  readonly description: string
  readonly minimum?: number
  readonly maximum?: number
  readonly allowed?: readonly string[]
  /** The web app of any user needs to know it. */
  readonly isPublic?: true
  /** It says what is wrong with a value of the right type, or nothing. */
  readonly problem?: (value: Value) => string | undefined
}

const yesNo = (
  defaultValue: boolean,
  description: string,
  more: Partial<Definition<boolean>> = {},
): Definition<boolean> => ({
  valueType: 'boolean',
  defaultValue,
  description,
  ...more,
})

const wholeNumber = (
  defaultValue: number,
  minimum: number,
  maximum: number,
  description: string,
): Definition<number> => ({
  valueType: 'integer',
  defaultValue,
  minimum,
  maximum,
  description,
})

const words = (
  defaultValue: string,
  description: string,
  more: Partial<Definition<string>> = {},
): Definition<string> => ({
  valueType: 'string',
  defaultValue,
  description,
  ...more,
})

const reservedPrefixes = ['api', 'opds', 'koreader', 'health', 'metrics', 'media', 'assets', 'read']

const prefixProblem = (value: string): string | undefined => {
  if (!/^[a-z][a-z0-9-]{1,31}$/.test(value))
    return 'must be 2 to 32 lower-case letters, digits and hyphens, a letter first'
  if (reservedPrefixes.includes(value)) return `must not be one of ${reservedPrefixes.join(', ')}`
  return undefined
}

const scheduleProblem = (value: string): string | undefined => (value === '' ? undefined : cronProblem(value))

const templateLengthMax = 10_000
const templateProblem = (value: string): string | undefined =>
  value.length <= templateLengthMax ? undefined : `must be at most ${templateLengthMax} characters long`

const packageName = /^(@[a-z0-9-~][a-z0-9-._~]*\/)?[a-z0-9-~][a-z0-9-._~]*$/
const packagesProblem = (value: string[]): string | undefined => {
  if (value.length > 100) return 'must name at most 100 packages'
  const wrong = value.find((name) => name.length > 214 || !packageName.test(name))
  return wrong === undefined ? undefined : `must be npm package names, which ${JSON.stringify(wrong)} is not`
}

const hostName = /^(?=.{1,253}$)[\w-]+(\.[\w-]+)*$|^[\da-f:.]{2,45}$/i
const hostsProblem = (value: string[]): string | undefined => {
  if (value.length > 100) return 'must name at most 100 hosts'
  const wrong = value.find((host) => !hostName.test(host))
  return wrong === undefined ? undefined : `must be names or addresses of hosts, which ${JSON.stringify(wrong)} is not`
}

const definitions = {
  'compat.enabled': yesNo(false, 'Answer apps made for Komga.', { isPublic: true }),
  'compat.prefix': words('komga', 'The first part of the address for those apps.', {
    isPublic: true,
    problem: prefixProblem,
  }),
  'compat.spelling': words('auto', 'Which spelling those apps get where they differ from the specification.', {
    allowed: ['auto', 'law', 'komga'],
  }),
  'koreader.enabled': yesNo(true, 'Answer KOReader sync.', { isPublic: true }),
  'opds.enabled': yesNo(true, 'Answer OPDS feeds.', { isPublic: true }),
  'opds.basic': yesNo(true, 'Let OPDS apps sign in with a user name and password or key.'),
  'rate_limit.anonymous_rps': wholeNumber(
    10,
    1,
    10_000,
    'Requests per second for callers who are not signed in, by address.',
  ),
  'rate_limit.anonymous_burst': wholeNumber(50, 1, 100_000, 'Requests such a caller may make at once.'),
  'rate_limit.authenticated_rps': wholeNumber(50, 1, 10_000, 'Requests per second for a signed-in user.'),
  'rate_limit.authenticated_burst': wholeNumber(200, 1, 100_000, 'Requests a signed-in user may make at once.'),
  'scan.hold_percent': wholeNumber(
    10,
    0,
    100,
    'Hold removals for confirmation above this share of a library, in percent.',
  ),
  'scan.hold_books': wholeNumber(20, 0, 1_000_000, 'Hold removals for confirmation only above this number of books.'),
  'scan.auto_confirm': yesNo(false, 'Confirm held removals without asking.'),
  'scan.watch': yesNo(true, 'Follow what happens in the folders of libraries, as far as they say so.'),
  'search.fuzzy.enabled': yesNo(true, 'Forgive one typing mistake in words of five letters or more.'),
  'trash.retention_days': wholeNumber(0, 0, 36_500, 'Forget missing books after this many days; 0 never does.'),
  'metrics.task_retention_days': wholeNumber(30, 1, 3650, 'How long the figures of background tasks are kept.'),
  'thumbnail.max_dimension': wholeNumber(
    400,
    100,
    2000,
    'The longer side of a cover, in pixels; of one taller or wider than books are, 1.6 times the shorter side.',
  ),
  'thumbnail.quality': wholeNumber(85, 10, 100, 'The quality covers are stored in.'),
  'display.custom_metadata_template': words('', 'How custom metadata is shown.', {
    isPublic: true,
    problem: templateProblem,
  }),
  'deduplication.cron_schedule': words('', 'When duplicates are looked for; empty: never by itself.', {
    problem: scheduleProblem,
  }),
  // The backup runs before the clean-ups of the night, so that it still holds what they delete.
  'backup.cron_schedule': words('45 1 * * *', 'When a backup is made; empty: never by itself.', {
    problem: scheduleProblem,
  }),
  'backup.keep': wholeNumber(7, 1, 1000, 'How many backups are kept; the oldest go when a new one is there.'),
  'exports.retention_days': wholeNumber(7, 1, 90, 'Exports are removed after this many days.'),
  'exports.max_per_user': wholeNumber(10, 1, 100, 'How many exports a user may keep; the oldest go first.'),
  'exports.max_concurrent_per_user': wholeNumber(3, 1, 10, 'How many exports of one user may be under way.'),
  'exports.storage_cap_bytes': wholeNumber(
    2_147_483_648,
    104_857_600,
    1_125_899_906_842_624,
    'How many bytes all exports together may take; the oldest go first.',
  ),
  'sidecars.beside_allowed': yesNo(
    false,
    'Let libraries have a file written beside each of their books, of what is said of it.',
  ),
  'webhooks.allowed_hosts': {
    valueType: 'list',
    defaultValue: [] as string[],
    description: 'Hosts that webhooks may reach although they are in a private network, at any port.',
    problem: hostsProblem,
  } satisfies Definition<string[]>,
  'imports.allowed_hosts': {
    valueType: 'list',
    defaultValue: [] as string[],
    description:
      'Hosts of other servers that may be read although they are in a private network, at any port, encrypted or not.',
    problem: hostsProblem,
  } satisfies Definition<string[]>,
  'plugins.allowed_packages': {
    valueType: 'list',
    defaultValue: [] as string[],
    description: 'The npm packages that may be installed as plugins.',
    problem: packagesProblem,
  } satisfies Definition<string[]>,
  'plugins.failures_max': wholeNumber(3, 1, 100_000, 'So many bad failures within the window switch a plugin off.'),
  'plugins.auto_match_confidence_threshold': {
    valueType: 'number',
    defaultValue: 0.8 as number,
    minimum: 0,
    maximum: 1,
    description: 'How sure a plugin must be for a match to be applied by itself; below that it waits to be looked at.',
  } satisfies Definition<number>,
  'plugins.post_scan_auto_match_enabled': yesNo(false, 'After a scan, let plugins match what they have not looked at.'),
  'plugins.cover_hosts': {
    valueType: 'list',
    defaultValue: [] as string[],
    description:
      'Hosts that covers of plugins may be fetched from although they are in a private network, at any port.',
    problem: hostsProblem,
  } satisfies Definition<string[]>,
  'plugins.oauth_hosts': {
    valueType: 'list',
    defaultValue: [] as string[],
    description:
      'Hosts that users may sign in at for plugins although they are in a private network, at any port, encrypted or not.',
    problem: hostsProblem,
  } satisfies Definition<string[]>,
  'plugins.failure_window_seconds': wholeNumber(
    3600,
    60,
    86_400,
    'The window in which failures of a plugin are counted.',
  ),
  'plugins.memory_max_mib': wholeNumber(256, 64, 4096, 'A plugin that takes more memory than this many MiB is ended.'),
  'recommendations.max_age_hours': wholeNumber(
    24,
    1,
    8760,
    'Older recommendations are made anew when somebody looks at them.',
  ),
} as const

export type SettingKey = keyof typeof definitions
export type ValueOf<Key extends SettingKey> = (typeof definitions)[Key] extends Definition<infer Value> ? Value : never

export const settingKeys = Object.keys(definitions) as SettingKey[]
export const isSettingKey = (key: string): key is SettingKey => Object.hasOwn(definitions, key)

export const definitionOf = (key: SettingKey): Definition => definitions[key] as unknown as Definition

/** It says what is wrong with a value, as the end of a sentence that begins with the key. */
export const problemWith = (key: SettingKey, value: unknown): string | undefined => {
  const { valueType, minimum, maximum, allowed, problem } = definitionOf(key)
  switch (valueType) {
    case 'boolean':
      if (typeof value !== 'boolean') return 'must be true or false'
      break
    case 'integer':
    case 'number':
      if (valueType === 'integer' && !Number.isInteger(value)) return 'must be a whole number'
      if (typeof value !== 'number') return 'must be a number'
      if (minimum !== undefined && value < minimum) return `must be at least ${minimum}`
      if (maximum !== undefined && value > maximum) return `must be at most ${maximum}`
      break
    case 'string':
      if (typeof value !== 'string') return 'must be text'
      if (allowed && !allowed.includes(value)) return `must be one of ${allowed.join(', ')}`
      break
    case 'list':
      if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) return 'must be a list of texts'
      break
  }
  return problem?.(value)
}

/** It says the same for programs; what a setting takes besides its kind and its bounds, its sentence alone says. */
export const becauseOf = (key: SettingKey, value: unknown): Partial<Because> => {
  const { valueType, minimum, maximum, allowed } = definitionOf(key)
  const isNumber = valueType === 'integer' || valueType === 'number'
  if (!isNumber) return allowed ? { reason: 'value_unknown' } : {}
  if (typeof value !== 'number' || (valueType === 'integer' && !Number.isInteger(value)))
    return { reason: 'type_wrong' }
  if (minimum !== undefined && value < minimum) return { reason: 'number_low', values: { least: minimum } }
  return maximum !== undefined && value > maximum ? { reason: 'number_high', values: { most: maximum } } : {}
}

/** It reads the text of an environment variable. */
export const valueFromText = (key: SettingKey, text: string): unknown => {
  switch (definitionOf(key).valueType) {
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text
    case 'integer':
    case 'number':
      return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
    case 'list':
      return text
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '')
    case 'string':
      return text
  }
}

/** `CARREL_SETTING_RATE_LIMIT_ANONYMOUS_RPS` names `rate_limit.anonymous_rps`. */
export const keyFromVariable = (name: string): SettingKey | undefined =>
  settingKeys.find((key) => key.replaceAll('.', '_').toUpperCase() === name.toUpperCase())
