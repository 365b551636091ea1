import { type Kysely, sql } from 'kysely'
import { newId } from '../../platform/ids.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { type Migration, type SchemaChange, schemaChange } from './migration.ts'

export const search: Migration = {
  name: 'what everything is found by',
  run: async (db, dialect) => {
    const change = schemaChange(db, dialect)
    for (const entity of ['series', 'book', 'term', 'collection', 'read_list'])
      await createDocuments(db, dialect, change, entity)
    await change.createTable('search_word', { spelling: 'text', word: 'text' }, (table) =>
      table.addPrimaryKeyConstraint('search_word_pk', ['spelling', 'word']),
    )
    await queueRebuild(db)
  },
}

const createDocuments = async (
  db: Kysely<unknown>,
  { textIndex }: Dialect,
  { createTable, createIndex }: SchemaChange,
  entity: string,
): Promise<void> => {
  const name = `${entity}_search`
  const id = `${entity}_id`
  await createTable(name, { number: 'integer', [id]: 'text', title: 'text', words: 'text' }, (table) =>
    table
      .addPrimaryKeyConstraint(`${name}_pk`, ['number'])
      .addUniqueConstraint(`${name}_one`, [id])
      .addForeignKeyConstraint(`${name}_of`, [id], entity, ['id'], (key) => key.onDelete('cascade')),
  )
  await createIndex(`${name}_by_title`, name, ['title', id])
  await textIndex.create(db, name)
}

/** A large library takes longer than anybody would wait for a start: what is there already is listed by a task. */
const queueRebuild = async (db: Kysely<unknown>): Promise<void> => {
  const at = new Date().toISOString()
  await sql`insert into task (id, type, key, payload, status, is_due, priority, attempts, max_attempts, interruptions,
      fence, created_at, scheduled_for)
    select ${newId()}, 'rebuild_search', 'rebuild_search ', '{}', 'pending', 1, 300, 0, 3, 0, 0, ${at}, ${at}
    where exists (select 1 from series)`.execute(db)
}
