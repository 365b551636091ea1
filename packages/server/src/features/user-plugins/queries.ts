import type { Selectable } from 'kysely'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import type { Flag } from '../../database/flag.ts'
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
    .where('plugin.enabled', '=', 1)
    .where('plugin.manifest', 'is not', null)
    .select([
      'plugin.id',
      'plugin.name',
      'plugin.display_name',
      'plugin.description',
      'plugin.plugin_type',
      'plugin.manifest',
      'plugin.library_ids',
      'plugin.credentials',
      'plugin.last_success_at',
      'plugin.last_failure_at',
      'plugin.created_at',
      'user_plugin.enabled as wanted',
      'user_plugin.config',
      'user_plugin.created_at as wanted_at',
      'user_plugin.updated_at as changed_at',
      'recommendation_batch.generated_at',
    ])

export type OfferedRow = Awaited<ReturnType<typeof selectOffered>>[number]

/** All that are switched on and have said what they can do, with what this user wants of them. */
export const selectOffered = (db: ReadDb, userId: string, limit: number) =>
  offered(db, userId).orderBy('plugin.name').limit(limit).execute()

export const selectOfferedOne = (db: ReadDb, userId: string, pluginId: string): Promise<OfferedRow | undefined> =>
  offered(db, userId).where('plugin.id', '=', pluginId).executeTakeFirst()

type Row = Selectable<UserPluginTables['user_plugin']>

export const saveWanted = async (
  db: WriteDb,
  { userId, pluginId, at }: { readonly userId: string; readonly pluginId: string; readonly at: string },
  changes: { readonly enabled: Flag } | Pick<Row, 'config'>,
): Promise<void> => {
  await db
    .insertInto('user_plugin')
    .values({
      user_id: userId,
      plugin_id: pluginId,
      enabled: 1,
      config: '{}',
      created_at: at,
      updated_at: at,
      ...changes,
    })
    .onConflict((conflict) => conflict.columns(['user_id', 'plugin_id']).doUpdateSet({ ...changes, updated_at: at }))
    .execute()
}
