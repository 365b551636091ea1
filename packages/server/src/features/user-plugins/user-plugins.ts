import { type UserPluginDto, type UserPluginsListResponse, userConfigBytesMax } from '@carrel/api'
import type { PluginManifest } from '@carrel/plugin-sdk/protocol'
import type { Database, ReadDb } from '../../database/database.ts'
import { flag } from '../../database/flag.ts'
import { AppError, invalid, notFound } from '../../platform/errors.ts'
import { toManifest } from '../plugins/plugins.ts'
import { requireConfig } from './config.ts'
import { toAvailable, toUserPlugin } from './dto.ts'
import { isConnected, isOn, recommendingManifest } from './needs.ts'
import { type OfferedRow, saveChoice, selectOffered, selectOfferedOne } from './queries.ts'

const shownMax = 200

/** A plugin that recommends, and that is on for a user. */
export interface Recommender {
  readonly pluginId: string
  readonly displayName: string
  /** It names the service whose ids the plugin gives, and by which it knows series. */
  readonly source: string
  readonly manifest: PluginManifest
  /** The plugin may hear of these libraries; an empty list means all. */
  readonly libraryIds: readonly string[]
  /** When the user has last changed what they want of it. */
  readonly changedAt: string | null
}

export const recommendersOf = async (db: ReadDb, userId: string, limit: number): Promise<Recommender[]> => {
  const rows = await selectOffered(db, userId, shownMax)
  return rows.flatMap((row) => recommenderIn(row) ?? []).slice(0, limit)
}

/** Undefined: it is gone, or off for everybody or for this user. */
export const findRecommender = async (
  db: ReadDb,
  userId: string,
  pluginId: string,
): Promise<Recommender | undefined> => {
  const row = await selectOfferedOne(db, userId, pluginId)
  return row && recommenderIn(row)
}

const recommenderIn = (row: OfferedRow): Recommender | undefined => {
  const manifest = recommendingManifest(row)
  if (!manifest || !isOn(row, manifest) || !mayWork(row, manifest)) return undefined
  return {
    pluginId: row.id,
    displayName: row.display_name,
    source: manifest.capabilities.externalIdSource ?? `plugin:${manifest.name}`,
    manifest,
    libraryIds: JSON.parse(row.library_ids) as string[],
    changedAt: row.changed_at,
  }
}

export const listUserPlugins = async (db: ReadDb, userId: string): Promise<UserPluginsListResponse> => {
  const offered = (await selectOffered(db, userId, shownMax)).flatMap((row) => {
    const manifest = recommendingManifest(row)
    return manifest ? [{ row, manifest }] : []
  })
  const of = (on: boolean) => offered.filter(({ row, manifest }) => isOn(row, manifest) === on)
  return {
    enabled: of(true).map(({ row, manifest }) => toUserPlugin(row, manifest)),
    available: of(false).map(({ row, manifest }) => toAvailable(row, manifest)),
    plugins: offered.map(({ row, manifest }) => toUserPlugin(row, manifest)),
  }
}

/** Another node may be able to decrypt what this one cannot. */
const mayWork = (row: OfferedRow, manifest: PluginManifest): boolean =>
  row.problem === 'unreadable' || isConnected(row, manifest)

/** One that a user may use: it is on, and does something for single users. */
export const requireOffered = async (db: ReadDb, userId: string, pluginId: string) => {
  const row = await selectOfferedOne(db, userId, pluginId)
  const manifest = row && recommendingManifest(row)
  if (!manifest) throw notFound('plugin')
  return { row, manifest }
}

export const readUserPlugin = async (db: ReadDb, userId: string, pluginId: string): Promise<UserPluginDto> => {
  const { row, manifest } = await requireOffered(db, userId, pluginId)
  return toUserPlugin(row, manifest)
}

interface Change {
  readonly userId: string
  readonly pluginId: string
  readonly now: Date
}

export const switchUserPlugin = (db: Database, change: Change, isEnabled: boolean): Promise<UserPluginDto> =>
  db.write(async (db) => {
    const { userId, pluginId, now } = change
    const { row, manifest } = await requireOffered(db, userId, pluginId)
    if (isEnabled && row.kind === null && !isConnected(row, manifest))
      throw new AppError('conflict', 'This plugin works with an account of yours elsewhere: connect it first.', {
        reason: 'connect_first',
      })
    // The row is written only when something changes, so that nothing is computed again for no reason.
    if (row.switched_at === null || row.switched !== flag(isEnabled))
      await saveChoice(db, { userId, pluginId, at: now.toISOString() }, { enabled: flag(isEnabled) })
    return readUserPlugin(db, userId, pluginId)
  })

export const saveUserConfig = (
  db: Database,
  change: Change,
  config: Readonly<Record<string, unknown>>,
): Promise<UserPluginDto> =>
  db.write(async (db) => {
    const { userId, pluginId, now } = change
    const { row, manifest } = await requireOffered(db, userId, pluginId)
    requireConfig(toManifest(manifest).userConfigSchema, manifest.userConfigSchema != null, config)
    const text = JSON.stringify(config)
    if (Buffer.byteLength(text) > userConfigBytesMax)
      throw invalid('/config', `It may be at most ${userConfigBytesMax} bytes.`)
    if (text !== (row.config ?? '{}'))
      await saveChoice(db, { userId, pluginId, at: now.toISOString() }, { config: text })
    return readUserPlugin(db, userId, pluginId)
  })
