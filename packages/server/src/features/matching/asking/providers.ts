import { type Ability, isAble, type PluginManifest } from '@carrel/plugin-sdk/protocol'
import type { ReadDb } from '../../../database/database.ts'
import { AppError, notFound } from '../../../platform/errors.ts'
import type { PluginSource, Entity } from '../../../catalogue/metadata/metadata.ts'
import {
  manifestOf,
  type PluginOptions,
  type PluginRow,
  selectEnabled,
  selectPluginRow,
} from '../../plugins/plugins.ts'

/** A plugin that knows metadata, with all that its administrator has decided. */
export interface Provider {
  readonly id: string
  readonly name: string
  readonly displayName: string
  readonly description: string | null
  readonly manifest: PluginManifest | undefined
  readonly permissions: ReadonlySet<string>
  /** Empty: all. */
  readonly libraryIds: readonly string[]
  readonly scopes: readonly string[]
  readonly options: Partial<PluginOptions>
}

export const sourceOf = ({ name }: Pick<Provider, 'name'>): PluginSource => `plugin:${name}`

const abilityOf: Readonly<Record<Entity, Ability>> = { series: 'series-metadata', book: 'book-metadata' }

/** One that is on, can do this and may be asked about this library. */
export const requireProvider = async (
  db: ReadDb,
  pluginId: string,
  entity: Entity,
  libraryId: string,
): Promise<Provider> => {
  const row = await requireSystemPlugin(db, pluginId)
  if (row.enabled === 0)
    throw new AppError('conflict', `${row.display_name} is switched off.`, {
      reason: 'plugin_off',
      values: { plugin: row.display_name },
    })
  const provider = toProvider(row)
  if (!isAbleTo(provider, entity))
    throw new AppError('conflict', `${row.display_name} knows nothing of this kind.`, {
      reason: 'plugin_unfit',
      values: { plugin: row.display_name },
    })
  if (!isMeantFor(provider, entity))
    throw new AppError('conflict', `${row.display_name} is not set up for this kind.`, {
      reason: 'plugin_unfit',
      values: { plugin: row.display_name },
    })
  if (!isFor(provider, libraryId))
    throw new AppError('conflict', `${row.display_name} may not be asked about this library.`, {
      reason: 'plugin_unfit',
      values: { plugin: row.display_name },
    })
  return provider
}

const requireSystemPlugin = async (db: ReadDb, pluginId: string): Promise<PluginRow> => {
  const row = await selectPluginRow(db, pluginId)
  if (!row || row.plugin_type !== 'system') throw notFound('plugin')
  return row
}

/** What has never been started has not said what it can do: asking it shows. */
const isAbleTo = ({ manifest }: Provider, entity: Entity): boolean =>
  !manifest || isAble(manifest.capabilities, abilityOf[entity])

/** What a plugin may be asked about in a library: none of both where it may not be asked at all. */
export const selectAbleEntities = async (
  db: ReadDb,
  pluginId: string,
  libraryId: string,
): Promise<readonly Entity[]> => {
  const provider = toProvider(await requireSystemPlugin(db, pluginId))
  if (!isFor(provider, libraryId)) return []
  return (['series', 'book'] as const).filter((entity) => isAbleTo(provider, entity) && isMeantFor(provider, entity))
}

const pluginsMax = 200

export const selectProviders = async (
  db: ReadDb,
  entity: Entity,
  libraryId: string | undefined,
): Promise<readonly Provider[]> => {
  const rows = await selectEnabled(db, pluginsMax)
  return rows
    .filter(({ plugin_type }) => plugin_type === 'system')
    .map(toProvider)
    .filter(({ manifest }) => manifest !== undefined && isAble(manifest.capabilities, abilityOf[entity]))
    .filter(({ scopes }) => scopes.length === 0 || scopes.includes(`${entity}:detail`))
    .filter((provider) => isMeantFor(provider, entity))
    .filter((provider) => libraryId === undefined || isFor(provider, libraryId))
}

/** Its administrator may leave one of the two out. */
const isMeantFor = ({ options: { metadataTargets } }: Provider, entity: Entity): boolean =>
  metadataTargets == null || metadataTargets.includes(entity)

const isFor = ({ libraryIds }: Provider, libraryId: string): boolean =>
  libraryIds.length === 0 || libraryIds.includes(libraryId)

const toProvider = (row: PluginRow): Provider => ({
  id: row.id,
  name: row.name,
  displayName: row.display_name,
  description: row.description,
  manifest: manifestOf(row),
  permissions: new Set(JSON.parse(row.permissions) as string[]),
  libraryIds: JSON.parse(row.library_ids) as string[],
  scopes: JSON.parse(row.scopes) as string[],
  options: JSON.parse(row.options) as Partial<PluginOptions>,
})

/** What its ids of things are called among the ids of other services. */
export const idSourceOf = ({ name, manifest }: Provider): string =>
  plainSource(manifest?.capabilities.externalIdSource ?? `plugin:${name}`)

/** Files say `anilist` where plugins say `api:anilist`. */
export const plainSource = (source: string): string => source.replace(/^api:/, '')
