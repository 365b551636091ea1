import { type Kysely, sql } from 'kysely'
import { copiedTables } from '../copied-tables.ts'
import type { ReadDb } from '../db.ts'
import type { Schema } from '../schema.ts'

const oldestVersion = 150_000

interface FirstLook {
  readonly version: string
  readonly name: string
  readonly encoding: string
  readonly takesNoChanges: string
  readonly role: string
  readonly database: string
  readonly schema: string | null
  readonly mayMakeTables: boolean | null
}

/** Whoever sets PostgreSQL up is told in a line what is not as it has to be, and the statement that mends it. */
export const requireFit = async (db: Kysely<Schema>): Promise<void> => {
  const reason = await whyUnfit(db)
  if (reason !== undefined) throw new Error(reason)
}

const whyUnfit = async (db: Kysely<Schema>): Promise<string | undefined> => {
  const { rows } = await sql<FirstLook>`
    select current_setting('server_version_num') as version, current_setting('server_version') as name,
      current_setting('server_encoding') as encoding, current_setting('transaction_read_only') as "takesNoChanges",
      current_user as role, current_database() as database, current_schema() as schema,
      has_schema_privilege(current_schema(), 'create') as "mayMakeTables"`.execute(db)
  const [look] = rows
  if (!look) return undefined
  const { version, name, schema } = look
  if (Number(version) < oldestVersion) return `PostgreSQL ${name} is too old: Carrel needs 15 or newer`
  const role = quoted(look.role)
  if (schema === null)
    return `no schema that the search_path of ${role} names is there: create one, or alter role ${role} reset search_path`
  // What was made once stays as it is: it may be a role that can do no more than it has to.
  if ((await selectTablesOfOurNames(db)).length > 0) return undefined
  if (look.encoding !== 'UTF8')
    return `it is encoded as ${look.encoding}, which has no room for every name: create database … encoding 'UTF8' template template0`
  if (look.takesNoChanges === 'on')
    return 'it takes no changes: default_transaction_read_only is on, or it follows another PostgreSQL'
  if (look.mayMakeTables !== true)
    return `the role ${role} may make no tables there: alter database ${quoted(look.database)} owner to ${role}, or grant create on schema ${quoted(schema)} to ${role}`
  return undefined
}

/** Other programs may have theirs beside them. */
export const selectTablesOfOurNames = async (db: ReadDb): Promise<string[]> => {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = current_schema() and table_name in (${sql.join(['schema_version', ...copiedTables])})
    order by table_name`.execute(db)
  return rows.map(({ name }) => name)
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
