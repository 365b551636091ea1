import { sql } from 'kysely'
import { type Migration, schemaChange } from './migration.ts'

export const doorSessions: Migration = {
  name: 'sessions of applications made for Komga, and what those keep with us',
  run: async (db, dialect) => {
    const { text } = dialect
    const { createTable, createIndex } = schemaChange(db, dialect)
    await sql`alter table session add column kind ${text} not null default 'own'`.execute(db)
    await sql`alter table session add column client ${text}`.execute(db)
    await sql`alter table session add column api_key_id ${text} references api_key (id) on delete cascade`.execute(db)
    await createIndex('session_of_api_key', 'session', ['api_key_id'], { where: 'api_key_id is not null' })
    await createTable(
      'client_setting',
      { owner: 'text', user_id: 'text?', key: 'text', value: 'text', is_open: 'integer' },
      (table) =>
        table
          .addPrimaryKeyConstraint('client_setting_pk', ['owner', 'key'])
          .addForeignKeyConstraint('client_setting_user', ['user_id'], 'user', ['id'], (key) =>
            key.onDelete('cascade'),
          ),
    )
    await createIndex('client_setting_of_user', 'client_setting', ['user_id'])
  },
}
