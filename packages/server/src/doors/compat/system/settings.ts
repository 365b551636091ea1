import type { CompatServerSettings, CompatServerSettingsChange } from '@carrel/api/doors'
import type { Context } from '../../../context.ts'
import type { SettingChange } from '../../../features/settings/settings.ts'
import { invalid } from '../../../platform/errors.ts'

const rememberedDays = 365
/** The longer side of a cover. */
const edges = { DEFAULT: 400, MEDIUM: 600, LARGE: 900, XLARGE: 1200 } as const
type Size = keyof typeof edges

export const serverSettings = ({ config, settings }: Pick<Context, 'config' | 'settings'>): CompatServerSettings => ({
  deleteEmptyCollections: false,
  deleteEmptyReadLists: false,
  rememberMeDurationDays: rememberedDays,
  thumbnailSize: sizeOf(settings.get('thumbnail.max_dimension')),
  taskPoolSize: config.workerConcurrency,
  serverPort: configured(config.port),
  serverContextPath: configured(`${config.basePath}/${settings.get('compat.prefix')}`),
  koboProxy: false,
  koboPort: null,
  kepubifyPath: configured(null),
})

const configured = <Value>(value: Value) => ({
  configurationSource: value,
  databaseSource: null,
  effectiveValue: value,
})

/** The nearest there is. */
const sizeOf = (edge: number): Size => {
  const sizes = Object.keys(edges) as Size[]
  return sizes.reduce((best, each) => (Math.abs(edges[each] - edge) < Math.abs(edges[best] - edge) ? each : best))
}

const why = {
  deleteEmptyCollections: 'Empty collections stay until somebody deletes them.',
  deleteEmptyReadLists: 'Empty read lists stay until somebody deletes them.',
  rememberMeDurationDays: 'A remembered session lasts a year.',
  renewRememberMeKey: 'Sessions are ended in the web app, one by one or all of a user.',
  taskPoolSize: 'It is set with CARREL_WORKER_CONCURRENCY.',
  serverPort: 'The port is set with CARREL_PORT.',
  serverContextPath: 'The path is set with CARREL_BASE_PATH and the setting compat.prefix.',
  koboProxy: 'Kobo readers do not sync with Carrel.',
  koboPort: 'Kobo readers do not sync with Carrel.',
  kepubifyPath: 'Kobo readers do not sync with Carrel.',
} as const

/** It returns which of our settings change; it refuses values that differ and have no meaning here. */
export const settingsFrom = (
  change: CompatServerSettingsChange,
  { thumbnailSize, ...standing }: CompatServerSettings,
): SettingChange[] => {
  for (const name of Object.keys(why) as (keyof typeof why)[]) {
    const value = change[name] === '' ? null : change[name]
    if (value == null || value === valueOf({ renewRememberMeKey: false, ...standing }[name])) continue
    throw invalid(`/${name}`, `${name} cannot be ${String(value)}: ${why[name]}`)
  }
  if (change.thumbnailSize == null || change.thumbnailSize === thumbnailSize) return []
  return [{ key: 'thumbnail.max_dimension', value: edges[change.thumbnailSize] }]
}

const valueOf = (
  setting: boolean | number | string | null | { readonly effectiveValue: number | string | null },
): boolean | number | string | null =>
  typeof setting === 'object' && setting !== null ? setting.effectiveValue : setting
