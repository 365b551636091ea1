import type { Context } from '../../../context.ts'
import type { ReadDb } from '../../../database/database.ts'
import type { PluginHost } from '../../../plugins/host.ts'
import type { PluginSpec } from '../../../plugins/supervised.ts'
import { forgetFolder } from './forget.ts'
import { selectRevisions, selectUserChanges, type UserChange } from '../queries.ts'

type OutOfDateContext = Pick<Context, 'db' | 'log' | 'config'>

/**
 * An administrator tests it; or it has been switched on and announces its capabilities: this is the last word of its
 * key.
 */
export type Trial = 'check' | 'start'
export const isFirstStart = (key: string): boolean => key.endsWith(' start')

/** It ends the processes of plugins that were changed, switched off or removed. */
export const endOutOfDate = async (host: PluginHost, { db, log, config }: OutOfDateContext): Promise<void> => {
  const running = host.running.filter(isNoTrial)
  if (running.length === 0) return
  const ids = [...new Set(running.map(({ pluginId }) => pluginId))]
  const now = new Map((await selectRevisions(db.read, ids)).map((row) => [row.id, row]))
  const changes = await changesOfUsers(db.read, running, ids)
  const isOutOfDate = (spec: PluginSpec): boolean => {
    const row = now.get(spec.pluginId)
    return row?.enabled !== 1 || String(row.revision) !== partsOf(spec).revision || hasLeft(spec, changes)
  }
  const out = running.filter(isOutOfDate)
  if (out.length === 0) return
  const isMeant = (spec: PluginSpec): boolean => isNoTrial(spec) && isOutOfDate(spec)
  // Nobody waits for their end: the next one is another process.
  host
    .forget(isMeant)
    .then(() => forgetFolders(out, changes, config.dataDir))
    .catch((err: unknown) => log.warn({ err }, 'A plugin could not be ended'))
}

const isNoTrial = ({ key }: PluginSpec): boolean => !key.endsWith(' check') && !isFirstStart(key)

const partsOf = ({ revision: text }: PluginSpec) => {
  const [revision = '', changedAt = '', version = ''] = text.split(' ')
  return { revision, changedAt, version }
}

type Changes = ReadonlyMap<string, UserChange>

/** Its user wants something else of it now, or no longer trusts it with what it was given. */
const hasLeft = (spec: PluginSpec, changes: Changes): boolean => {
  if (spec.userId === null) return false
  const change = changes.get(keyOf(spec.pluginId, spec.userId))
  const { changedAt, version } = partsOf(spec)
  return (change?.updated_at ?? '') !== changedAt || (version !== '' && change?.version == null)
}

const keyOf = (pluginId: string, userId: string): string => `${pluginId} ${userId}`

const changesOfUsers = async (
  db: ReadDb,
  running: readonly PluginSpec[],
  pluginIds: readonly string[],
): Promise<Changes> => {
  const userIds = [...new Set(running.flatMap(({ userId }) => userId ?? []))]
  const rows = userIds.length === 0 ? [] : await selectUserChanges(db, pluginIds, userIds)
  return new Map(rows.map((row) => [keyOf(row.plugin_id, row.user_id), row]))
}

/** A process that was to forget its user may have written something after its folder was deleted. */
const forgetFolders = async (ended: readonly PluginSpec[], changes: Changes, dataDir: string): Promise<void> => {
  for (const spec of ended) {
    const { pluginId, userId } = spec
    if (userId === null) continue
    if (isToForget(spec, changes.get(keyOf(pluginId, userId)))) await forgetFolder(dataDir, { pluginId, userId })
  }
}

/** Its user has disconnected it since it was started. */
export const isToForget = (spec: PluginSpec, change: UserChange | undefined): boolean =>
  change?.forgotten_at != null && partsOf(spec).changedAt < change.forgotten_at
