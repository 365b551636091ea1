import type { Tables } from '../table-definition.ts'

export const plugins: Tables = {
  plugin_package: {
    columns: {
      name: 'text',
      version: 'text',
      source: 'text',
      // Below data/plugins: what it may read, and the script it begins with.
      folder: 'text',
      entry: 'text',
      installed_at: 'text',
    },
    primaryKey: ['name'],
  },
  plugin: {
    columns: {
      id: 'text',
      name: 'text',
      display_name: 'text',
      description: 'text?',
      plugin_type: 'text',
      package: 'text?',
      command: 'text',
      // JSON.
      args: 'text',
      // Names as JSON, values encrypted.
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
      // JSON, of its last start.
      manifest: 'text?',
      isolation: 'text?',
      last_success_at: 'text?',
      last_failure_at: 'text?',
      failures_from: 'text',
      revision: 'integer',
      created_at: 'text',
      updated_at: 'text',
      oauth_client_id: 'text?',
      oauth_client_secret: 'text?',
      enabled_for: 'text?',
    },
    primaryKey: ['id'],
    indexes: { plugin_by_name: { columns: ['name'], unique: true } },
  },
  plugin_failure: {
    columns: {
      id: 'text',
      plugin_id: 'text',
      code: 'text',
      message: 'text',
      method: 'text?',
      last_words: 'text?',
      is_grave: 'integer',
      at: 'text',
    },
    primaryKey: ['id'],
    foreignKeys: { plugin_failure_of: ['plugin_id', 'plugin', 'cascade'] },
    indexes: { plugin_failure_of_plugin: ['plugin_id', 'at', 'id'] },
  },
  plugin_line: {
    columns: { id: 'text', plugin_id: 'text', line: 'text', at: 'text' },
    primaryKey: ['id'],
    foreignKeys: { plugin_line_of: ['plugin_id', 'plugin', 'cascade'] },
    indexes: { plugin_line_of_plugin: ['plugin_id', 'id'] },
  },
  plugin_metric: {
    columns: {
      plugin_id: 'text',
      method: 'text',
      // What came of it: `ok`, a code of a failure, or `rejected`.
      outcome: 'text',
      requests: 'integer',
      duration_ms: 'real',
      last_at: 'text',
    },
    primaryKey: ['plugin_id', 'method', 'outcome'],
    foreignKeys: { plugin_metric_of: ['plugin_id', 'plugin', 'cascade'] },
  },
  plugin_data: {
    columns: {
      plugin_id: 'text',
      // The user it is about, else `everybody`.
      owner: 'text',
      user_id: 'text?',
      key: 'text',
      data: 'text',
      expires_at: 'text?',
      updated_at: 'text',
    },
    primaryKey: ['plugin_id', 'owner', 'key'],
    foreignKeys: {
      plugin_data_of: ['plugin_id', 'plugin', 'cascade'],
      plugin_data_user: ['user_id', 'user', 'cascade'],
    },
    indexes: { plugin_data_of_user: ['user_id'] },
  },
  plugin_call: {
    columns: {
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
    primaryKey: ['id'],
    foreignKeys: { plugin_call_of: ['plugin_id', 'plugin', 'cascade'] },
    indexes: {
      plugin_call_waiting: { columns: ['id'], where: "state = 'waiting'" },
      plugin_call_by_end: ['ends_at'],
      plugin_call_of_plugin: ['plugin_id'],
    },
  },
  user_plugin: {
    columns: {
      user_id: 'text',
      plugin_id: 'text',
      enabled: 'integer',
      // JSON.
      config: 'text',
      created_at: 'text',
      updated_at: 'text',
      forgotten_at: 'text?',
      switched_at: 'text?',
    },
    primaryKey: ['user_id', 'plugin_id'],
    foreignKeys: {
      user_plugin_user: ['user_id', 'user', 'cascade'],
      user_plugin_of: ['plugin_id', 'plugin', 'cascade'],
    },
    indexes: { user_plugin_of_plugin: ['plugin_id'] },
  },
  user_plugin_connection: {
    columns: {
      user_id: 'text',
      plugin_id: 'text',
      kind: 'text',
      // Encrypted.
      tokens: 'text?',
      // Another one with each change of the tokens.
      version: 'text',
      expires_at: 'text?',
      refresh_at: 'text?',
      // Nobody else asks for new tokens until then.
      refreshing_until: 'text?',
      problem: 'text?',
      external_username: 'text?',
      external_avatar_url: 'text?',
      connected_at: 'text',
    },
    primaryKey: ['user_id', 'plugin_id'],
    foreignKeys: {
      user_plugin_connection_user: ['user_id', 'user', 'cascade'],
      user_plugin_connection_of: ['plugin_id', 'plugin', 'cascade'],
    },
    indexes: { user_plugin_connection_of_plugin: ['plugin_id'] },
  },
  user_plugin_sign_in: {
    columns: { state_hash: 'text', user_id: 'text', plugin_id: 'text', browser_hash: 'text', expires_at: 'text' },
    primaryKey: ['state_hash'],
    foreignKeys: {
      user_plugin_sign_in_user: ['user_id', 'user', 'cascade'],
      user_plugin_sign_in_of: ['plugin_id', 'plugin', 'cascade'],
    },
    indexes: {
      user_plugin_sign_in_of_user: ['user_id'],
      user_plugin_sign_in_of_plugin: ['plugin_id'],
      user_plugin_sign_in_by_time: ['expires_at'],
    },
  },
}
