import { type Migration, schemaChange } from './migration.ts'

export const pluginConnections: Migration = {
  name: 'plugin connections: as whom users sign in at a plugin’s service, what they have entrusted it with, sign-ins under way',
  run: async (db, dialect) => {
    const { createTable, createIndex } = schemaChange(db, dialect)
    await db.schema.alterTable('plugin').addColumn('oauth_client_id', dialect.text).execute()
    await db.schema.alterTable('plugin').addColumn('oauth_client_secret', dialect.text).execute()
    await db.schema.alterTable('user_plugin').addColumn('forgotten_at', dialect.text).execute()
    await createTable(
      'user_plugin_connection',
      {
        user_id: 'text',
        plugin_id: 'text',
        kind: 'text',
        /** Sealed. */
        tokens: 'text?',
        /** Another one with each change of the tokens. */
        version: 'text',
        expires_at: 'text?',
        refresh_at: 'text?',
        /** Nobody else asks for new tokens until then. */
        refreshing_until: 'text?',
        problem: 'text?',
        external_username: 'text?',
        external_avatar_url: 'text?',
        connected_at: 'text',
      },
      (table) =>
        table
          .addPrimaryKeyConstraint('user_plugin_connection_pk', ['user_id', 'plugin_id'])
          .addForeignKeyConstraint('user_plugin_connection_user', ['user_id'], 'user', ['id'], (key) =>
            key.onDelete('cascade'),
          )
          .addForeignKeyConstraint('user_plugin_connection_of', ['plugin_id'], 'plugin', ['id'], (key) =>
            key.onDelete('cascade'),
          ),
    )
    await createIndex('user_plugin_connection_of_plugin', 'user_plugin_connection', ['plugin_id'])
    await createTable(
      'user_plugin_sign_in',
      { state_hash: 'text', user_id: 'text', plugin_id: 'text', browser_hash: 'text', expires_at: 'text' },
      (table) =>
        table
          .addPrimaryKeyConstraint('user_plugin_sign_in_pk', ['state_hash'])
          .addForeignKeyConstraint('user_plugin_sign_in_user', ['user_id'], 'user', ['id'], (key) =>
            key.onDelete('cascade'),
          )
          .addForeignKeyConstraint('user_plugin_sign_in_of', ['plugin_id'], 'plugin', ['id'], (key) =>
            key.onDelete('cascade'),
          ),
    )
    await createIndex('user_plugin_sign_in_of_user', 'user_plugin_sign_in', ['user_id'])
    await createIndex('user_plugin_sign_in_of_plugin', 'user_plugin_sign_in', ['plugin_id'])
    await createIndex('user_plugin_sign_in_by_time', 'user_plugin_sign_in', ['expires_at'])
  },
}
