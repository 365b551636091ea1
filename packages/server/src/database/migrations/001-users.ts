import type { Kysely } from 'kysely'
import { type Migration, type SchemaChange, schemaChange } from './migration.ts'

export const users: Migration = {
  name: 'users, access, sessions, keys and settings',
  run: async (db, dialect) => {
    const change = schemaChange(db, dialect)
    await createUsers(change)
    await createAccess(change)
    await createSignIn(change)
    await createSettings(db, change)
  },
}

const createUsers = async ({ createTable, createIndex }: SchemaChange): Promise<void> => {
  await createTable(
    'user',
    {
      id: 'text',
      username: 'text',
      username_key: 'text',
      sort_key: 'text',
      email: 'text?',
      email_key: 'text?',
      role: 'text',
      permissions: 'text',
      is_active: 'integer',
      password_hash: 'text?',
      language: 'text?',
      time_zone: 'text',
      all_libraries: 'integer',
      age_ceiling: 'integer?',
      include_unrated: 'integer',
      last_login_at: 'text?',
      created_at: 'text',
      updated_at: 'text',
    },
    (table) =>
      table
        .addPrimaryKeyConstraint('user_pk', ['id'])
        .addUniqueConstraint('user_username', ['username_key'])
        .addUniqueConstraint('user_email', ['email_key']),
  )
  await createIndex('user_by_name', 'user', ['sort_key', 'id'])
  await createTable('user_preference', { user_id: 'text', key: 'text', value: 'text', updated_at: 'text' }, (table) =>
    table
      .addPrimaryKeyConstraint('user_preference_pk', ['user_id', 'key'])
      .addForeignKeyConstraint('user_preference_user', ['user_id'], 'user', ['id'], (key) => key.onDelete('cascade')),
  )
}

const createAccess = async ({ createTable, createIndex }: SchemaChange): Promise<void> => {
  await createTable(
    'sharing_tag',
    {
      id: 'text',
      name: 'text',
      name_key: 'text',
      sort_key: 'text',
      description: 'text?',
      created_at: 'text',
      updated_at: 'text',
    },
    (table) =>
      table.addPrimaryKeyConstraint('sharing_tag_pk', ['id']).addUniqueConstraint('sharing_tag_name', ['name_key']),
  )
  await createIndex('sharing_tag_by_name', 'sharing_tag', ['sort_key', 'id'])
  await createTable(
    'access_group',
    {
      id: 'text',
      name: 'text',
      name_key: 'text',
      sort_key: 'text',
      description: 'text?',
      all_libraries: 'integer',
      age_ceiling: 'integer?',
      include_unrated: 'integer',
      created_at: 'text',
      updated_at: 'text',
    },
    (table) =>
      table.addPrimaryKeyConstraint('access_group_pk', ['id']).addUniqueConstraint('access_group_name', ['name_key']),
  )
  await createIndex('access_group_by_name', 'access_group', ['sort_key', 'id'])
  for (const [owner, owners] of [
    ['user', 'user_library'],
    ['access_group', 'access_group_library'],
  ] as const) {
    await createTable(owners, { owner_id: 'text', library_id: 'text' }, (table) =>
      table
        .addPrimaryKeyConstraint(`${owners}_pk`, ['owner_id', 'library_id'])
        .addForeignKeyConstraint(`${owners}_owner`, ['owner_id'], owner, ['id'], (key) => key.onDelete('cascade')),
    )
  }
  for (const [owner, grants] of [
    ['user', 'user_grant'],
    ['access_group', 'access_group_grant'],
  ] as const) {
    await createTable(grants, { owner_id: 'text', tag_id: 'text', mode: 'text', created_at: 'text' }, (table) =>
      table
        .addPrimaryKeyConstraint(`${grants}_pk`, ['owner_id', 'tag_id'])
        .addForeignKeyConstraint(`${grants}_owner`, ['owner_id'], owner, ['id'], (key) => key.onDelete('cascade'))
        .addForeignKeyConstraint(`${grants}_tag`, ['tag_id'], 'sharing_tag', ['id'], (key) => key.onDelete('cascade')),
    )
    await createIndex(`${grants}_by_tag`, grants, ['tag_id'])
  }
  await createTable(
    'access_group_member',
    { group_id: 'text', user_id: 'text', source: 'text', created_at: 'text' },
    (table) =>
      table
        .addPrimaryKeyConstraint('access_group_member_pk', ['group_id', 'user_id'])
        .addForeignKeyConstraint('access_group_member_group', ['group_id'], 'access_group', ['id'], (key) =>
          key.onDelete('cascade'),
        )
        .addForeignKeyConstraint('access_group_member_user', ['user_id'], 'user', ['id'], (key) =>
          key.onDelete('cascade'),
        ),
  )
  await createIndex('access_group_member_by_user', 'access_group_member', ['user_id'])
}

const createSignIn = async ({ createTable, createIndex }: SchemaChange): Promise<void> => {
  await createTable(
    'session',
    {
      id: 'text',
      user_id: 'text',
      cookie_hash: 'text',
      device_name: 'text?',
      user_agent: 'text?',
      ip: 'text?',
      network: 'text',
      created_at: 'text',
      last_used_at: 'text',
      ended_at: 'text?',
    },
    (table) =>
      table
        .addPrimaryKeyConstraint('session_pk', ['id'])
        .addUniqueConstraint('session_cookie', ['cookie_hash'])
        .addForeignKeyConstraint('session_user', ['user_id'], 'user', ['id'], (key) => key.onDelete('cascade')),
  )
  await createIndex('session_by_user', 'session', ['user_id', 'last_used_at'])
  await createTable(
    'refresh_token',
    { token_hash: 'text', session_id: 'text', created_at: 'text', rotated_at: 'text?' },
    (table) =>
      table
        .addPrimaryKeyConstraint('refresh_token_pk', ['token_hash'])
        .addForeignKeyConstraint('refresh_token_session', ['session_id'], 'session', ['id'], (key) =>
          key.onDelete('cascade'),
        ),
  )
  await createIndex('refresh_token_by_session', 'refresh_token', ['session_id'])
  await createTable(
    'api_key',
    {
      id: 'text',
      user_id: 'text',
      name: 'text',
      sort_key: 'text',
      key_prefix: 'text',
      key_hash: 'text',
      md5_hash: 'text',
      permissions: 'text?',
      is_active: 'integer',
      expires_at: 'text?',
      last_used_at: 'text?',
      created_at: 'text',
      updated_at: 'text',
    },
    (table) =>
      table
        .addPrimaryKeyConstraint('api_key_pk', ['id'])
        .addUniqueConstraint('api_key_hash', ['key_hash'])
        .addUniqueConstraint('api_key_md5', ['md5_hash'])
        .addForeignKeyConstraint('api_key_user', ['user_id'], 'user', ['id'], (key) => key.onDelete('cascade')),
  )
  await createIndex('api_key_by_user', 'api_key', ['user_id', 'sort_key', 'id'])
  await createTable('sign_in_failure', { key: 'text', failures: 'integer', last_failed_at: 'text' }, (table) =>
    table.addPrimaryKeyConstraint('sign_in_failure_pk', ['key']),
  )
  await createIndex('sign_in_failure_by_time', 'sign_in_failure', ['last_failed_at'])
}

const createSettings = async (db: Kysely<unknown>, { createTable, createIndex }: SchemaChange): Promise<void> => {
  await createTable(
    'setting',
    { key: 'text', value: 'text', updated_at: 'text', updated_by: 'text?', updated_by_name: 'text' },
    (table) => table.addPrimaryKeyConstraint('setting_pk', ['key']),
  )
  await createTable(
    'setting_change',
    {
      id: 'text',
      key: 'text',
      at: 'text',
      by_id: 'text?',
      by_name: 'text',
      old_value: 'text',
      new_value: 'text',
      reason: 'text?',
    },
    (table) => table.addPrimaryKeyConstraint('setting_change_pk', ['id']),
  )
  await createIndex('setting_change_by_key', 'setting_change', ['key', 'id'])
  await createTable('secret', { name: 'text', value: 'text' }, (table) =>
    table.addPrimaryKeyConstraint('secret_pk', ['name']),
  )
  await createTable('revision', { name: 'text', value: 'integer' }, (table) =>
    table.addPrimaryKeyConstraint('revision_pk', ['name']),
  )
  const rows = ['access', 'settings'].map((name) => ({ name, value: 1 }))
  await (db as Kysely<{ revision: { name: string; value: number } }>).insertInto('revision').values(rows).execute()
}
