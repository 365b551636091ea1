import { type Kysely, sql } from 'kysely'
import type { Log } from '../platform/log.ts'
import type { Database } from './database.ts'
import type { WriteDb } from './db.ts'
import { migrations } from './migrations/index.ts'
import type { Migration } from './migrations/migration.ts'

/** The database was made by a newer program. Nothing of it was touched. */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError'
}

export interface MigrateOptions {
  readonly database: Database
  readonly log: Log
  readonly clock: () => Date
  /** Runs before the first change to a database that holds something already. */
  readonly keepCopy: (fromVersion: number) => Promise<void>
  readonly steps?: readonly Migration[]
}

/**
 * Brings the schema up to this program, one transaction a step. The step's row is locked before it is looked at, so
 * several nodes that start together run each step once, and one that dies half-way leaves nothing behind.
 */
export const migrate = async ({
  database,
  log,
  clock,
  keepCopy,
  steps = migrations,
}: MigrateOptions): Promise<number> => {
  const version = await schemaVersion(database)
  refuseNewer(version, steps.length)
  if (version === steps.length) return 0
  if (version > 0) await keepCopy(version)
  await ensureVersionTable(database)
  let applied = 0
  for (const [index, step] of steps.entries()) {
    const ran = await database.write(async (db) => {
      const current = await lockVersion(db)
      refuseNewer(current, steps.length)
      if (current > index) return false
      await step.run(withoutTypes(db), database.dialect)
      await sql`update schema_version set version = ${index + 1}, changed_at = ${clock().toISOString()}`.execute(db)
      return true
    })
    if (ran) log.info({ version: index + 1 }, `Migrated the database: ${step.name}`)
    if (ran) applied += 1
  }
  return applied
}

/** 0 for a database without any of our tables. */
export const schemaVersion = async ({ dialect, read }: Database): Promise<number> => {
  if (!(await dialect.tableExists(read, 'schema_version'))) return 0
  const { rows } = await sql<{ version: number }>`select version from schema_version`.execute(read)
  return rows[0]?.version ?? 0
}

export const latestVersion = migrations.length

const refuseNewer = (version: number, known: number): void => {
  if (version <= known) return
  throw new NewerSchemaError(
    `The database has schema version ${version}, this program knows up to ${known}. Start the newer program again; nothing was changed.`,
  )
}

/** Two nodes may create the table at once; PostgreSQL then fails one of them, in spite of `if not exists`. */
const ensureVersionTable = async (database: Database): Promise<void> => {
  try {
    await database.write(createVersionTable)
  } catch (error) {
    if (!(await database.dialect.tableExists(database.read, 'schema_version'))) throw error
  }
}

/** A step must not lean on tables that are of a later make. */
const withoutTypes = (db: WriteDb): Kysely<unknown> => db as unknown as Kysely<unknown>

const createVersionTable = async (db: WriteDb): Promise<void> => {
  await sql`create table if not exists schema_version (the_one integer primary key, version integer not null, changed_at text)`.execute(
    db,
  )
  await sql`insert into schema_version (the_one, version) values (1, 0) on conflict do nothing`.execute(db)
}

const lockVersion = async (db: WriteDb): Promise<number> => {
  const { rows } = await sql<{ version: number }>`update schema_version set the_one = 1 returning version`.execute(db)
  return rows[0]?.version ?? 0
}
