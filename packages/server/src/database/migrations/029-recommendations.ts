import { type Migration, schemaChange } from './migration.ts'

export const recommendations: Migration = {
  name: 'recommendations: what plugins recommend to each user, what a user wants of plugins, what they dismissed',
  run: async (db, dialect) => {
    const { createTable, createIndex } = schemaChange(db, dialect)
    await createTable(
      'user_plugin',
      {
        user_id: 'text',
        plugin_id: 'text',
        enabled: 'integer',
        /** JSON. */
        config: 'text',
        created_at: 'text',
        updated_at: 'text',
      },
      (table) =>
        table
          .addPrimaryKeyConstraint('user_plugin_pk', ['user_id', 'plugin_id'])
          .addForeignKeyConstraint('user_plugin_user', ['user_id'], 'user', ['id'], (key) => key.onDelete('cascade'))
          .addForeignKeyConstraint('user_plugin_of', ['plugin_id'], 'plugin', ['id'], (key) => key.onDelete('cascade')),
    )
    await createIndex('user_plugin_of_plugin', 'user_plugin', ['plugin_id'])
    await createTable(
      'recommendation_batch',
      { user_id: 'text', plugin_id: 'text', source: 'text', asked_at: 'text?', generated_at: 'text?' },
      (table) =>
        table
          .addPrimaryKeyConstraint('recommendation_batch_pk', ['user_id', 'plugin_id'])
          .addForeignKeyConstraint('recommendation_batch_user', ['user_id'], 'user', ['id'], (key) =>
            key.onDelete('cascade'),
          )
          .addForeignKeyConstraint('recommendation_batch_of', ['plugin_id'], 'plugin', ['id'], (key) =>
            key.onDelete('cascade'),
          ),
    )
    await createIndex('recommendation_batch_of_plugin', 'recommendation_batch', ['plugin_id'])
    await createTable(
      'recommendation',
      {
        user_id: 'text',
        plugin_id: 'text',
        external_id: 'text',
        place: 'integer',
        score: 'real',
        /** Of this server, as the plugin says: where it is hidden, so is this. */
        series_id: 'text?',
        /** JSON: the series that its reason may name. */
        based_on_ids: 'text',
        /** JSON. */
        item: 'text',
      },
      (table) =>
        table
          .addPrimaryKeyConstraint('recommendation_pk', ['user_id', 'plugin_id', 'external_id'])
          .addForeignKeyConstraint(
            'recommendation_of_batch',
            ['user_id', 'plugin_id'],
            'recommendation_batch',
            ['user_id', 'plugin_id'],
            (key) => key.onDelete('cascade'),
          ),
    )
    await createTable(
      'recommendation_dismissal',
      { user_id: 'text', source: 'text', external_id: 'text', reason: 'text?', dismissed_at: 'text' },
      (table) =>
        table
          .addPrimaryKeyConstraint('recommendation_dismissal_pk', ['user_id', 'source', 'external_id'])
          .addForeignKeyConstraint('recommendation_dismissal_user', ['user_id'], 'user', ['id'], (key) =>
            key.onDelete('cascade'),
          ),
    )
  },
}
