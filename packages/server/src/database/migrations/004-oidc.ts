import { type Migration, schemaChange } from './migration.ts'

export const oidc: Migration = {
  name: 'sign-in through providers',
  run: async (db, dialect) => {
    const { createTable, createIndex } = schemaChange(db, dialect)
    await createTable(
      'oidc_sign_in',
      {
        state_hash: 'text',
        provider: 'text',
        browser_hash: 'text?',
        redirect_uri: 'text?',
        return_to: 'text',
        expires_at: 'text',
      },
      (table) => table.addPrimaryKeyConstraint('oidc_sign_in_pk', ['state_hash']),
    )
    await createIndex('oidc_sign_in_by_time', 'oidc_sign_in', ['expires_at'])
    await createTable(
      'oidc_identity',
      {
        provider: 'text',
        issuer: 'text',
        subject: 'text',
        user_id: 'text',
        created_at: 'text',
      },
      (table) =>
        table
          .addPrimaryKeyConstraint('oidc_identity_pk', ['provider', 'issuer', 'subject'])
          .addUniqueConstraint('oidc_identity_of_user', ['user_id', 'provider', 'issuer'])
          .addForeignKeyConstraint('oidc_identity_user', ['user_id'], 'user', ['id'], (key) => key.onDelete('cascade')),
    )
    await createTable(
      'access_group_oidc_mapping',
      { id: 'text', group_id: 'text', oidc_group_name: 'text', created_at: 'text' },
      (table) =>
        table
          .addPrimaryKeyConstraint('access_group_oidc_mapping_pk', ['id'])
          .addUniqueConstraint('access_group_oidc_mapping_name', ['group_id', 'oidc_group_name'])
          .addForeignKeyConstraint('access_group_oidc_mapping_group', ['group_id'], 'access_group', ['id'], (key) =>
            key.onDelete('cascade'),
          ),
    )
    await createIndex('access_group_oidc_mapping_by_name', 'access_group_oidc_mapping', ['oidc_group_name'])
  },
}
