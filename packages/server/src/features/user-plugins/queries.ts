import type { Selectable } from 'kysely'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import type { Flag } from '../../database/flag.ts'
import { insertMany, updateMany } from '../../database/many.ts'
import type { UserPluginTables } from './table.ts'

const offered = (db: ReadDb, userId: string) =>
  db
    .selectFrom('plugin')
    .leftJoin('user_plugin', (join) =>
      join.onRef('user_plugin.plugin_id', '=', 'plugin.id').on('user_plugin.user_id', '=', userId),
    )
    .leftJoin('recommendation_batch', (join) =>
      join.onRef('recommendation_batch.plugin_id', '=', 'plugin.id').on('recommendation_batch.user_id', '=', userId),
    )
    .leftJoin('user_plugin_connection as connection', (join) =>
      join.onRef('connection.plugin_id', '=', 'plugin.id').on('connection.user_id', '=', userId),
    )
    .where('plugin.enabled', '=', 1)
    .where('plugin.manifest', 'is not', null)
    .select([
      'plugin.id',
      'plugin.name',
      'plugin.display_name',
      'plugin.description',
      'plugin.plugin_type',
      'plugin.enabled_for',
      'plugin.manifest',
      'plugin.library_ids',
      'plugin.credentials',
      'plugin.oauth_client_id',
      'plugin.oauth_client_secret',
      'plugin.last_success_at',
      'plugin.last_failure_at',
      'plugin.created_at',
      'user_plugin.enabled as switched',
      'user_plugin.switched_at',
      'user_plugin.config',
      'user_plugin.created_at as wanted_at',
      'user_plugin.updated_at as changed_at',
      'recommendation_batch.generated_at',
      'connection.kind',
      'connection.problem',
      'connection.external_username',
      'connection.external_avatar_url',
      'connection.connected_at',
    ])

export type OfferedRow = Awaited<ReturnType<typeof selectOffered>>[number]

/** It reads all plugins that are switched on and have announced their capabilities, with this user's choices. */
export const selectOffered = (db: ReadDb, userId: string, limit: number) =>
  offered(db, userId).orderBy('plugin.name').limit(limit).execute()

export const selectOfferedOne = (db: ReadDb, userId: string, pluginId: string): Promise<OfferedRow | undefined> =>
  offered(db, userId).where('plugin.id', '=', pluginId).executeTakeFirst()

type Row = Selectable<UserPluginTables['user_plugin']>
export type ConnectionRow = Selectable<UserPluginTables['user_plugin_connection']>
export type SignInRow = Selectable<UserPluginTables['user_plugin_sign_in']>

/** A plugin and a user of it. */
export interface Ends {
  readonly userId: string
  readonly pluginId: string
}

export const saveChoice = async (
  db: WriteDb,
  { userId, pluginId, at }: Ends & { readonly at: string },
  changes: { readonly enabled: Flag } | Pick<Row, 'config'> | Pick<Row, 'enabled' | 'config' | 'forgotten_at'>,
): Promise<void> => {
  const sets = { ...changes, ...('enabled' in changes && { switched_at: at }), updated_at: at }
  await db
    .insertInto('user_plugin')
    .values({ user_id: userId, plugin_id: pluginId, enabled: 0, config: '{}', created_at: at, ...sets })
    .onConflict((conflict) => conflict.columns(['user_id', 'plugin_id']).doUpdateSet(sets))
    .execute()
}

/** It returns whether this user has ever chosen anything about it, or given it credentials. */
export const hasChoice = async (db: ReadDb, { userId, pluginId }: Ends): Promise<boolean> =>
  (await db
    .selectFrom('user_plugin')
    .select('plugin_id')
    .where('user_id', '=', userId)
    .where('plugin_id', '=', pluginId)
    .executeTakeFirst()) !== undefined

const connectionOf = (db: ReadDb, { userId, pluginId }: Ends) =>
  db.selectFrom('user_plugin_connection').where('user_id', '=', userId).where('plugin_id', '=', pluginId)

export const selectConnection = (db: ReadDb, ends: Ends): Promise<ConnectionRow | undefined> =>
  connectionOf(db, ends).selectAll().executeTakeFirst()

/** It replaces any earlier connection. */
export const saveConnection = (db: WriteDb, row: ConnectionRow): Promise<void> => {
  const { user_id, plugin_id, ...sets } = row
  return insertMany(db, 'user_plugin_connection', [row], {
    keys: Object.keys({ user_id, plugin_id }),
    sets: Object.keys(sets),
  })
}

export const deleteConnection = async (db: WriteDb, { userId, pluginId }: Ends): Promise<void> => {
  await db
    .deleteFrom('user_plugin_connection')
    .where('user_id', '=', userId)
    .where('plugin_id', '=', pluginId)
    .execute()
}

/**
 * The row must still have these tokens: a user who has connected again meanwhile is left alone. It returns whether
 * there was one.
 */
export const updateConnection = async (
  db: WriteDb,
  { userId, pluginId, version }: Ends & Pick<ConnectionRow, 'version'>,
  changes: Partial<ConnectionRow>,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('user_plugin_connection')
    .set(changes)
    .where('user_id', '=', userId)
    .where('plugin_id', '=', pluginId)
    .where('version', '=', version)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** When several ask for new tokens at once, exactly one of them gets the claim. */
export const claimRefresh = async (
  db: WriteDb,
  { userId, pluginId, version }: Ends & Pick<ConnectionRow, 'version'>,
  { now, until }: { readonly now: string; readonly until: string },
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('user_plugin_connection')
    .set({ refreshing_until: until })
    .where('user_id', '=', userId)
    .where('plugin_id', '=', pluginId)
    .where('version', '=', version)
    .where(({ eb, or }) => or([eb('refreshing_until', 'is', null), eb('refreshing_until', '<=', now)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export type EncryptedRow = Pick<ConnectionRow, 'user_id' | 'plugin_id' | 'version'> & { readonly tokens: string }

/** It reads the next batch after that row. */
export const selectEncryptedAfter = async (
  db: ReadDb,
  after: Pick<ConnectionRow, 'user_id' | 'plugin_id'>,
  limit: number,
): Promise<EncryptedRow[]> =>
  db
    .selectFrom('user_plugin_connection')
    .select(['user_id', 'plugin_id', 'version', 'tokens'])
    .where('tokens', 'is not', null)
    .$narrowType<{ tokens: string }>()
    .where(({ eb, or, and }) =>
      or([
        eb('user_id', '>', after.user_id),
        and([eb('user_id', '=', after.user_id), eb('plugin_id', '>', after.plugin_id)]),
      ]),
    )
    .orderBy('user_id')
    .orderBy('plugin_id')
    .limit(limit)
    .execute()

/** It updates rows that have not been changed meanwhile. */
export const updateEncrypted = (db: WriteDb, rows: readonly EncryptedRow[]): Promise<void> =>
  updateMany(
    db,
    'user_plugin_connection',
    { keys: { user_id: 'text', plugin_id: 'text', version: 'text' }, columns: { tokens: 'text' } },
    rows,
  )

export const insertSignIn = async (db: WriteDb, row: SignInRow): Promise<void> => {
  await db.insertInto('user_plugin_sign_in').values(row).execute()
}

/** When those that this user has under way end, the next first. */
export const selectOpenSignIns = async (db: ReadDb, userId: string, now: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('user_plugin_sign_in')
    .select('expires_at')
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('expires_at')
    .execute()
  return rows.map(({ expires_at }) => expires_at)
}

interface Comer {
  readonly stateHash: string
  readonly browserHash: string | null
  readonly userId: string | null
}

/** One statement, so that of many who come with the same state one has it. Who may not have it takes nothing. */
export const takeSignIn = (db: WriteDb, { stateHash, browserHash, userId }: Comer): Promise<SignInRow | undefined> =>
  db
    .deleteFrom('user_plugin_sign_in')
    .where('state_hash', '=', stateHash)
    .where(({ eb, or }) => or([eb('browser_hash', '=', browserHash ?? ''), eb('user_id', '=', userId ?? '')]))
    .returningAll()
    .executeTakeFirst()

export const deleteSignInsUntil = async (db: WriteDb, time: string): Promise<void> => {
  await db.deleteFrom('user_plugin_sign_in').where('expires_at', '<=', time).execute()
}

export const deleteSignInsOf = async (db: WriteDb, { userId, pluginId }: Ends): Promise<void> => {
  await db.deleteFrom('user_plugin_sign_in').where('user_id', '=', userId).where('plugin_id', '=', pluginId).execute()
}
