import { type Kysely, sql } from 'kysely'
import { newId } from '../../platform/ids.ts'
import { fold, nameKey, sortKey } from '../../platform/sort-key.ts'
import { type Migration, schemaChange } from './migration.ts'

export const bulkEdits: Migration = {
  name: 'edits of many at once; what series and books can be looked up by',
  run: async (db, dialect) => {
    const { createTable, createIndex } = schemaChange(db, dialect)
    await createTable(
      'bulk_edit',
      {
        id: 'text',
        user_id: 'text',
        entity: 'text',
        status: 'text',
        task_id: 'text?',
        /** JSON: what is to be changed, and the ids it is to be changed of. */
        edit: 'text',
        ids: 'text',
        matched: 'integer',
        /** How many have been dealt with, and of these taken back. */
        done: 'integer',
        turned_back: 'integer',
        changed: 'integer',
        unchanged: 'integer',
        skipped_locked: 'integer',
        failed: 'integer',
        undone: 'integer',
        conflicts: 'integer',
        created_at: 'text',
        completed_at: 'text?',
      },
      (table) =>
        table
          .addPrimaryKeyConstraint('bulk_edit_pk', ['id'])
          .addForeignKeyConstraint('bulk_edit_user', ['user_id'], 'user', ['id'], (key) => key.onDelete('cascade')),
    )
    await createIndex('bulk_edit_by_age', 'bulk_edit', ['created_at', 'id'])
    await createIndex('bulk_edit_of_user', 'bulk_edit', ['user_id'])
    await createTable(
      'bulk_edit_item',
      {
        bulk_edit_id: 'text',
        place: 'integer',
        entity_id: 'text',
        outcome: 'text',
        /** JSON: the fields that were locked, and those that had changed again when it was undone. */
        skipped: 'text',
        conflicts: 'text',
        change_id: 'text?',
      },
      (table) =>
        table
          .addPrimaryKeyConstraint('bulk_edit_item_pk', ['bulk_edit_id', 'place'])
          .addForeignKeyConstraint('bulk_edit_item_of', ['bulk_edit_id'], 'bulk_edit', ['id'], (key) =>
            key.onDelete('cascade'),
          ),
    )
    for (const entity of ['series', 'book'] as const) await fillFrom(db, entity)
  },
}

const batch = 500

interface Shown {
  readonly genres?: readonly string[]
  readonly tags?: readonly string[]
  readonly authors?: readonly { readonly name: string; readonly role?: string | null }[]
  readonly externalIds?: readonly { readonly source: string; readonly id: string; readonly url?: string }[]
}

/** What was shown before there were terms and external ids is looked up by them too. */
const fillFrom = async (db: Kysely<unknown>, entity: 'series' | 'book'): Promise<void> => {
  const known = new Map<string, string>()
  let after = ''
  for (;;) {
    const { rows } = await sql<{ id: string; metadata: string }>`
      select id, metadata from ${sql.table(entity)} where id > ${after} order by id limit ${batch}`.execute(db)
    for (const { id, metadata } of rows)
      if (metadata !== '{}') await fillOne(db, { entity, id, shown: JSON.parse(metadata) as Shown, known })
    if (rows.length < batch) return
    after = rows.at(-1)?.id ?? ''
  }
}

interface ToFill {
  readonly entity: 'series' | 'book'
  readonly id: string
  readonly shown: Shown
  /** The ids of terms by kind and key. */
  readonly known: Map<string, string>
}

const fillOne = async (db: Kysely<unknown>, { entity, id, shown, known }: ToFill): Promise<void> => {
  const { genres = [], tags = [], authors = [], externalIds = [] } = shown
  const named = [
    ...genres.map((name, place) => ({ kind: 'genre', name, role: '', place })),
    ...tags.map((name, place) => ({ kind: 'tag', name, role: '', place })),
    ...authors.map(({ name, role }, place) => ({ kind: 'person', name, role: role ?? '', place })),
  ]
  const [table, column] = [sql.table(`${entity}_term`), sql.id(`${entity}_id`)]
  for (const { kind, name, role, place } of named) {
    const termId = await termIdOf(db, { kind, name }, known)
    await sql`insert into ${table} (${column}, term_id, role, place)
      values (${id}, ${termId}, ${role}, ${place}) on conflict do nothing`.execute(db)
  }
  for (const { source, id: externalId, url = null } of externalIds)
    await sql`insert into external_id (entity_id, entity, source, external_id, url)
      values (${id}, ${entity}, ${source}, ${externalId}, ${url}) on conflict do nothing`.execute(db)
}

const termIdOf = async (
  db: Kysely<unknown>,
  { kind, name }: { readonly kind: string; readonly name: string },
  known: Map<string, string>,
): Promise<string> => {
  const key = fold(name) || nameKey(name.trim())
  const found = known.get(`${kind} ${key}`)
  if (found !== undefined) return found
  const now = new Date()
  await sql`insert into term (id, kind, name, key, sort_key, created_at)
    values (${newId(now.getTime())}, ${kind}, ${name}, ${key}, ${sortKey(name)}, ${now.toISOString()})
    on conflict do nothing`.execute(db)
  const { rows } = await sql<{ id: string }>`
    select id from term where kind = ${kind} and key = ${key}`.execute(db)
  const id = rows[0]?.id ?? ''
  known.set(`${kind} ${key}`, id)
  return id
}
