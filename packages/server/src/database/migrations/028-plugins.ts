import { type Migration, schemaChange } from './migration.ts'

export const plugins: Migration = {
  name: 'plugins: how they are set up, how they do, and what they keep',
  run: async (db, dialect) => {
    const { createTable, createIndex } = schemaChange(db, dialect)
    await createTable(
      'plugin_package',
      {
        name: 'text',
        version: 'text',
        source: 'text',
        /** Below data/plugins: what it may read, and the script it begins with. */
        folder: 'text',
        entry: 'text',
        installed_at: 'text',
      },
      (table) => table.addPrimaryKeyConstraint('plugin_package_pk', ['name']),
    )
    await createTable(
      'plugin',
      {
        id: 'text',
        name: 'text',
        display_name: 'text',
        description: 'text?',
        plugin_type: 'text',
        package: 'text?',
        command: 'text',
        /** JSON. */
        args: 'text',
        /** Names as JSON, values sealed. */
        env_keys: 'text',
        env: 'text?',
        credentials: 'text?',
        working_directory: 'text?',
        permissions: 'text',
        scopes: 'text',
        library_ids: 'text',
        config: 'text',
        credential_delivery: 'text',
        log_level: 'text?',
        requests_per_minute: 'integer?',
        request_timeout_seconds: 'integer?',
        options: 'text',
        enabled: 'integer',
        disabled_reason: 'text?',
        /** JSON, of its last start. */
        manifest: 'text?',
        isolation: 'text?',
        last_success_at: 'text?',
        last_failure_at: 'text?',
        failures_from: 'text',
        revision: 'integer',
        created_at: 'text',
        updated_at: 'text',
      },
      (table) => table.addPrimaryKeyConstraint('plugin_pk', ['id']),
    )
    await createIndex('plugin_by_name', 'plugin', ['name'], { unique: true })
    await createTable(
      'plugin_failure',
      {
        id: 'text',
        plugin_id: 'text',
        code: 'text',
        message: 'text',
        method: 'text?',
        last_words: 'text?',
        is_grave: 'integer',
        at: 'text',
      },
      (table) =>
        table
          .addPrimaryKeyConstraint('plugin_failure_pk', ['id'])
          .addForeignKeyConstraint('plugin_failure_of', ['plugin_id'], 'plugin', ['id'], (key) =>
            key.onDelete('cascade'),
          ),
    )
    await createIndex('plugin_failure_of_plugin', 'plugin_failure', ['plugin_id', 'at', 'id'])
    await createTable(
      'plugin_metric',
      {
        plugin_id: 'text',
        method: 'text',
        /** What came of it: `ok`, a code of a failure, or `rejected`. */
        outcome: 'text',
        requests: 'integer',
        duration_ms: 'real',
        last_at: 'text',
      },
      (table) =>
        table
          .addPrimaryKeyConstraint('plugin_metric_pk', ['plugin_id', 'method', 'outcome'])
          .addForeignKeyConstraint('plugin_metric_of', ['plugin_id'], 'plugin', ['id'], (key) =>
            key.onDelete('cascade'),
          ),
    )
    await createTable(
      'plugin_data',
      {
        plugin_id: 'text',
        /** The user it is about, else `everybody`. */
        owner: 'text',
        user_id: 'text?',
        key: 'text',
        data: 'text',
        expires_at: 'text?',
        updated_at: 'text',
      },
      (table) =>
        table
          .addPrimaryKeyConstraint('plugin_data_pk', ['plugin_id', 'owner', 'key'])
          .addForeignKeyConstraint('plugin_data_of', ['plugin_id'], 'plugin', ['id'], (key) => key.onDelete('cascade'))
          .addForeignKeyConstraint('plugin_data_user', ['user_id'], 'user', ['id'], (key) => key.onDelete('cascade')),
    )
    await createIndex('plugin_data_of_user', 'plugin_data', ['user_id'])
    await createTable(
      'plugin_call',
      {
        id: 'text',
        plugin_id: 'text',
        user_id: 'text?',
        method: 'text',
        params: 'text',
        state: 'text',
        result: 'text?',
        fault: 'text?',
        ends_at: 'text',
      },
      (table) =>
        table
          .addPrimaryKeyConstraint('plugin_call_pk', ['id'])
          .addForeignKeyConstraint('plugin_call_of', ['plugin_id'], 'plugin', ['id'], (key) => key.onDelete('cascade')),
    )
    await createIndex('plugin_call_waiting', 'plugin_call', ['id'], { where: "state = 'waiting'" })
    await createIndex('plugin_call_by_end', 'plugin_call', ['ends_at'])
    await createIndex('plugin_call_of_plugin', 'plugin_call', ['plugin_id'])
  },
}
