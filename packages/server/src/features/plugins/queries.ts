import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { dialectOf } from '../../database/transaction.ts'
import type { Flag } from '../../database/flag.ts'
import { insertMany, updateMany } from '../../database/many.ts'
import type { PluginTables } from './table.ts'

export type PluginRow = Selectable<PluginTables['plugin']>
export type PackageRow = Selectable<PluginTables['plugin_package']>
export type FailureRow = Selectable<PluginTables['plugin_failure']>
export type LineRow = Selectable<PluginTables['plugin_line']>
export type MetricRow = Selectable<PluginTables['plugin_metric']>
export type CallRow = Selectable<PluginTables['plugin_call']>
export type StoredRow = Selectable<PluginTables['plugin_data']>

/** The count is that of recent serious failures. */
export interface ShownPlugin extends PluginRow {
  readonly failures: number
}

const shown = (db: ReadDb, since: string) =>
  db
    .selectFrom('plugin')
    .selectAll('plugin')
    .select((plugin) =>
      plugin
        .selectFrom('plugin_failure')
        .select(({ fn }) => fn.countAll<number>().as('failures'))
        .whereRef('plugin_failure.plugin_id', '=', 'plugin.id')
        .whereRef('plugin_failure.at', '>=', 'plugin.failures_from')
        .where('plugin_failure.at', '>=', since)
        .where('plugin_failure.is_grave', '=', 1)
        .as('failures'),
    )

export const selectPlugins = async (db: ReadDb, since: string, limit: number): Promise<ShownPlugin[]> => {
  const rows = await shown(db, since).orderBy('name').limit(limit).execute()
  return rows.map((row) => ({ ...row, failures: Number(row.failures) }))
}

export const selectPlugin = async (db: ReadDb, id: string, since: string): Promise<ShownPlugin | undefined> => {
  const row = await shown(db, since).where('plugin.id', '=', id).executeTakeFirst()
  return row && { ...row, failures: Number(row.failures) }
}

export const selectPluginRow = (db: ReadDb, id: string): Promise<PluginRow | undefined> =>
  db.selectFrom('plugin').selectAll().where('id', '=', id).executeTakeFirst()

export const countPlugins = async (db: ReadDb): Promise<number> => {
  const { count } = await db
    .selectFrom('plugin')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** It reads what a user has configured and switched for themselves, and when. */
export const selectUserConfig = (
  db: ReadDb,
  pluginId: string,
  userId: string,
): Promise<{ config: string; updated_at: string; switched: Flag; switched_at: string | null } | undefined> =>
  db
    .selectFrom('user_plugin')
    .select(['config', 'updated_at', 'enabled as switched', 'switched_at'])
    .where('plugin_id', '=', pluginId)
    .where('user_id', '=', userId)
    .executeTakeFirst()

/** When each of these users has changed last what they want of each of these plugins, and what they have entrusted it with. */
export const selectUserChanges = (
  db: ReadDb,
  pluginIds: readonly string[],
  userIds: readonly string[],
): Promise<UserChange[]> =>
  db
    .selectFrom('user_plugin as wanted')
    .leftJoin('user_plugin_connection as connection', (join) =>
      join.onRef('connection.user_id', '=', 'wanted.user_id').onRef('connection.plugin_id', '=', 'wanted.plugin_id'),
    )
    .select(['wanted.plugin_id', 'wanted.user_id', 'wanted.updated_at', 'wanted.forgotten_at', 'connection.version'])
    .where('wanted.plugin_id', 'in', pluginIds)
    .where('wanted.user_id', 'in', userIds)
    .execute()

export interface UserChange {
  readonly plugin_id: string
  readonly user_id: string
  readonly updated_at: string
  readonly forgotten_at: string | null
  readonly version: string | null
}

export const selectPluginByName = (db: ReadDb, name: string): Promise<{ id: string } | undefined> =>
  db.selectFrom('plugin').select('id').where('name', '=', name).executeTakeFirst()

/** Nobody else changes it until the transaction ends. */
export const lockPluginNamed = (
  db: WriteDb,
  named: string | { readonly id: string },
): Promise<Pick<PluginRow, 'id' | 'config'> | undefined> =>
  db
    .selectFrom('plugin')
    .select(['id', 'config'])
    .where(typeof named === 'string' ? 'name' : 'id', '=', typeof named === 'string' ? named : named.id)
    .modifyEnd(dialectOf(db).lockedRows('plugin'))
    .executeTakeFirst()

/** It returns the present revision of each of these plugins. */
export const selectRevisions = (
  db: ReadDb,
  ids: readonly string[],
): Promise<Pick<PluginRow, 'id' | 'revision' | 'enabled'>[]> =>
  db.selectFrom('plugin').select(['id', 'revision', 'enabled']).where('id', 'in', ids).execute()

/** It returns the plugins that are switched on and have announced their capabilities. */
export const selectEnabled = (db: ReadDb, limit: number): Promise<PluginRow[]> =>
  db.selectFrom('plugin').selectAll().where('enabled', '=', 1).orderBy('name').limit(limit).execute()

export const selectEncrypted = (
  db: ReadDb,
): Promise<Pick<PluginRow, 'id' | 'env' | 'credentials' | 'oauth_client_secret'>[]> =>
  db
    .selectFrom('plugin')
    .select(['id', 'env', 'credentials', 'oauth_client_secret'])
    .where(({ eb, or }) =>
      or([eb('env', 'is not', null), eb('credentials', 'is not', null), eb('oauth_client_secret', 'is not', null)]),
    )
    .execute()

export const insertPlugin = async (db: WriteDb, row: Insertable<PluginTables['plugin']>): Promise<void> => {
  await db.insertInto('plugin').values(row).execute()
}

export const updatePluginRow = async (
  db: WriteDb,
  id: string,
  changes: Updateable<PluginTables['plugin']>,
): Promise<void> => {
  await db.updateTable('plugin').set(changes).where('id', '=', id).execute()
}

/** It sets these columns of many plugins, each to values of its own. */
export const updatePlugins = (
  db: WriteDb,
  columns: { readonly [Column in keyof PluginTables['plugin']]?: 'text' },
  rows: readonly Updateable<PluginTables['plugin']>[],
): Promise<void> => updateMany(db, 'plugin', { keys: { id: 'text' }, columns }, rows)

/** Running processes of the plugin are out of date after this. */
export const raiseRevision = async (db: WriteDb, id: string): Promise<void> => {
  await db
    .updateTable('plugin')
    .set(({ eb }) => ({ revision: eb('revision', '+', 1) }))
    .where('id', '=', id)
    .execute()
}

export const selectPayloadOf = async (db: ReadDb, taskId: string): Promise<string | undefined> =>
  (await db.selectFrom('task').select('payload').where('id', '=', taskId).executeTakeFirst())?.payload

export const raiseRevisionsOfPackage = async (db: WriteDb, name: string): Promise<void> => {
  await db
    .updateTable('plugin')
    .set(({ eb }) => ({ revision: eb('revision', '+', 1) }))
    .where('package', '=', name)
    .execute()
}

export const deletePlugin = async (db: WriteDb, id: string): Promise<void> => {
  await db.deleteFrom('plugin').where('id', '=', id).execute()
}

export const selectPackages = (db: ReadDb, limit: number): Promise<PackageRow[]> =>
  db.selectFrom('plugin_package').selectAll().orderBy('name').limit(limit).execute()

export const selectPackage = (db: ReadDb, name: string): Promise<PackageRow | undefined> =>
  db.selectFrom('plugin_package').selectAll().where('name', '=', name).executeTakeFirst()

export const selectBuiltIn = (db: ReadDb): Promise<PackageRow[]> =>
  db.selectFrom('plugin_package').selectAll().where('source', '=', 'built_in').execute()

export const savePackage = (db: WriteDb, row: PackageRow): Promise<void> =>
  insertMany(db, 'plugin_package', [row], {
    keys: ['name'],
    sets: ['version', 'source', 'folder', 'entry', 'installed_at'],
  })

/** The names of some plugins that run it. */
export const selectNamesByPackage = async (db: ReadDb, name: string, limit: number): Promise<string[]> => {
  const rows = await db
    .selectFrom('plugin')
    .select('display_name')
    .where('package', '=', name)
    .orderBy('name')
    .limit(limit)
    .execute()
  return rows.map(({ display_name }) => display_name)
}

export const deletePackage = async (db: WriteDb, name: string): Promise<void> => {
  await db.deleteFrom('plugin_package').where('name', '=', name).execute()
}

export const selectPackageFolders = async (db: ReadDb): Promise<ReadonlySet<string>> => {
  const rows = await db.selectFrom('plugin_package').select('folder').execute()
  return new Set(rows.map(({ folder }) => folder))
}

export const selectPluginIds = async (db: ReadDb): Promise<ReadonlySet<string>> => {
  const rows = await db.selectFrom('plugin').select('id').execute()
  return new Set(rows.map(({ id }) => id))
}

interface FailurePage {
  readonly limit: number
  readonly offset: number
}

export const selectFailures = (
  db: ReadDb,
  pluginId: string,
  from: string,
  { limit, offset }: FailurePage,
): Promise<FailureRow[]> =>
  db
    .selectFrom('plugin_failure')
    .selectAll()
    .where('plugin_id', '=', pluginId)
    .where('at', '>=', from)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

export const countFailures = async (db: ReadDb, pluginId: string, from: string): Promise<number> => {
  const { count } = await db
    .selectFrom('plugin_failure')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('plugin_id', '=', pluginId)
    .where('at', '>=', from)
    .executeTakeFirstOrThrow()
  return count
}

export const insertFailures = (db: WriteDb, rows: readonly FailureRow[]): Promise<void> =>
  insertMany(db, 'plugin_failure', rows)

/** It deletes all but the latest rows of each of these plugins. */
export const deleteOldFailures = async (db: WriteDb, pluginIds: readonly string[], maxRows: number): Promise<void> => {
  await sql`delete from plugin_failure where id in (
    select id from (
      select id, row_number() over (partition by plugin_id order by at desc, id desc) as place
      from plugin_failure where plugin_id in (${sql.join(pluginIds)})
    ) as ranked where place > ${maxRows})`.execute(db)
}

/** The latest line comes first. */
export const selectLines = (
  db: ReadDb,
  pluginId: string,
  { limit, before }: { readonly limit: number; readonly before: string | undefined },
): Promise<LineRow[]> =>
  db
    .selectFrom('plugin_line')
    .selectAll()
    .where('plugin_id', '=', pluginId)
    .$if(before !== undefined, (query) => query.where('id', '<', before ?? ''))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

export const insertLines = (db: WriteDb, rows: readonly LineRow[]): Promise<void> => insertMany(db, 'plugin_line', rows)

/** It deletes all but the latest rows of each of these plugins. */
export const deleteOldLines = async (db: WriteDb, pluginIds: readonly string[], maxRows: number): Promise<void> => {
  await sql`delete from plugin_line where id in (
    select id from (
      select id, row_number() over (partition by plugin_id order by id desc) as place
      from plugin_line where plugin_id in (${sql.join(pluginIds)})
    ) as ranked where place > ${maxRows})`.execute(db)
}

export const selectStanding = async (db: ReadDb, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  const rows = await db.selectFrom('plugin').select('id').where('id', 'in', ids).execute()
  return new Set(rows.map(({ id }) => id))
}

/** It adds to what other nodes have counted. */
export const addMetrics = async (db: WriteDb, rows: readonly MetricRow[]): Promise<void> => {
  await db
    .insertInto('plugin_metric')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['plugin_id', 'method', 'outcome']).doUpdateSet(({ ref, eb }) => ({
        requests: eb('plugin_metric.requests', '+', ref('excluded.requests')),
        duration_ms: eb('plugin_metric.duration_ms', '+', ref('excluded.duration_ms')),
        last_at: ref('excluded.last_at'),
      })),
    )
    .execute()
}

export const selectMetrics = (db: ReadDb): Promise<MetricRow[]> =>
  db.selectFrom('plugin_metric').selectAll().orderBy('plugin_id').orderBy('method').orderBy('outcome').execute()

/** No question to a plugin, but what lies at an address that one has named. */
export const pictureMethod = 'picture'

export const insertCall = async (db: WriteDb, row: Insertable<PluginTables['plugin_call']>): Promise<void> => {
  await db.insertInto('plugin_call').values(row).execute()
}

export const selectCall = (db: ReadDb, id: string): Promise<CallRow | undefined> =>
  db.selectFrom('plugin_call').selectAll().where('id', '=', id).executeTakeFirst()

/** Pictures wait in a line of their own: there may be many, and nobody waits for a search because of them. */
export const selectWaitingCalls = async (
  db: ReadDb,
  { arePictures, limit }: { readonly arePictures: boolean; readonly limit: number },
): Promise<string[]> => {
  const rows = await db
    .selectFrom('plugin_call')
    .select('id')
    .where('state', '=', 'waiting')
    .where('method', arePictures ? '=' : '!=', pictureMethod)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export const isAnyCallWaiting = async (db: ReadDb): Promise<boolean> =>
  (await db.selectFrom('plugin_call').select('id').where('state', '=', 'waiting').limit(1).executeTakeFirst()) !==
  undefined

/** It returns the calls that nobody else has taken meanwhile. */
export const takeCalls = (db: WriteDb, ids: readonly string[]): Promise<CallRow[]> =>
  db
    .updateTable('plugin_call')
    .set({ state: 'taken' })
    .where('id', 'in', ids)
    .where('state', '=', 'waiting')
    .returningAll()
    .execute()

export const endCall = async (
  db: WriteDb,
  id: string,
  end: { readonly result: string | null; readonly fault: string | null },
): Promise<void> => {
  await db
    .updateTable('plugin_call')
    .set({ state: 'ended', ...end })
    .where('id', '=', id)
    .execute()
}

export const deleteCall = async (db: WriteDb, id: string): Promise<void> => {
  await db.deleteFrom('plugin_call').where('id', '=', id).execute()
}

export const hasOldCalls = async (db: ReadDb, before: string): Promise<boolean> =>
  (await db.selectFrom('plugin_call').select('id').where('ends_at', '<', before).limit(1).executeTakeFirst()) !==
  undefined

export const deleteOldCalls = async (db: WriteDb, before: string): Promise<void> => {
  await db.deleteFrom('plugin_call').where('ends_at', '<', before).execute()
}

/** It names the owner of stored data. */
export interface DataOwner {
  readonly pluginId: string
  readonly owner: string
}

const dataOf = (db: ReadDb, { pluginId, owner }: DataOwner, now: string) =>
  db
    .selectFrom('plugin_data')
    .where('plugin_id', '=', pluginId)
    .where('owner', '=', owner)
    .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))

export const selectStored = (
  db: ReadDb,
  owner: DataOwner,
  key: string,
  now: string,
): Promise<Pick<StoredRow, 'data' | 'expires_at'> | undefined> =>
  dataOf(db, owner, now).select(['data', 'expires_at']).where('key', '=', key).executeTakeFirst()

export const selectStoredKeys = (
  db: ReadDb,
  owner: DataOwner,
  now: string,
): Promise<Pick<StoredRow, 'key' | 'expires_at' | 'updated_at'>[]> =>
  dataOf(db, owner, now).select(['key', 'expires_at', 'updated_at']).orderBy('key').execute()

export const saveStored = (db: WriteDb, row: StoredRow): Promise<void> =>
  insertMany(db, 'plugin_data', [row], {
    keys: ['plugin_id', 'owner', 'key'],
    sets: ['data', 'expires_at', 'updated_at'],
  })

export const deleteExpired = async (db: WriteDb, { pluginId, owner }: DataOwner, now: string): Promise<void> => {
  await db
    .deleteFrom('plugin_data')
    .where('plugin_id', '=', pluginId)
    .where('owner', '=', owner)
    .where('expires_at', '<=', now)
    .execute()
}

/** Undefined: all of it. It returns how many that were. */
export const deleteStored = async (db: WriteDb, { pluginId, owner }: DataOwner, key?: string): Promise<number> => {
  let query = db.deleteFrom('plugin_data').where('plugin_id', '=', pluginId).where('owner', '=', owner)
  if (key !== undefined) query = query.where('key', '=', key)
  return (await query.returning('key').execute()).length
}
