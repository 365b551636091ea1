import { type Migration, schemaChange } from './migration.ts'

/** What somebody has done is found without reading all they have done it for. */
export const roles: Migration = {
  name: 'the roles of people',
  run: async (db, dialect) => {
    const { createIndex } = schemaChange(db, dialect)
    for (const entity of ['series', 'book']) {
      const name = `${entity}_term`
      await createIndex(`${name}_by_role`, name, ['term_id', 'role', `${entity}_id`])
      await db.schema.dropIndex(`${name}_by_term`).execute()
    }
  },
}
