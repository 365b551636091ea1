import { type Kysely, sql } from 'kysely'
import type { Log } from '../platform/log.ts'
import type { Database } from './database.ts'
import type { WriteDb } from './db.ts'
import { baseline } from './migrations/baseline/baseline.ts'
import { migrations } from './migrations/index.ts'
import type { Migration } from './migrations/migration.ts'
import { beforeAnybodyKeeps } from './whom-it-concerns.ts'

/** The database was made by a program that this one does not take over from. Nothing of it was touched. */
export class UnknownSchemaError extends Error {
  override readonly name: string = 'UnknownSchemaError'
}

/** The database was made by a newer program. */
export class NewerSchemaError extends UnknownSchemaError {
  override readonly name = 'NewerSchemaError'
}

/** The database is from before the baseline, and its program has not brought it there. */
export class OlderSchemaError extends UnknownSchemaError {
  override readonly name = 'OlderSchemaError'
}

export interface MigrateOptions {
  readonly database: Database
  readonly log: Log
  readonly clock: () => Date
  /** It runs before the first change to a database that holds something already. */
  readonly keepCopy: (fromVersion: number) => Promise<void>
  readonly steps?: readonly Migration[]
}

/**
 * It brings the schema up to this program, one transaction a step. The step's row is locked before it is looked at, so
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
  const latest = versionAfter(steps)
  refuseUnknown(version, latest)
  if (version === latest) return 0
  if (version === 0) await refuseForeign(database)
  else await keepCopy(version)
  await ensureVersionTable(database)
  let applied = 0
  for (const step of steps) {
    const change = async (db: WriteDb): Promise<boolean> => {
      const current = await lockVersion(db)
      refuseUnknown(current, latest)
      if (current >= step.version) return false
      await step.run(withoutTypes(db), database.dialect)
      await sql`update schema_version set version = ${step.version}, changed_at = ${clock().toISOString()}`.execute(db)
      return true
    }
    const ran = await database.write((db) => beforeAnybodyKeeps(() => change(db)))
    if (ran) log.info({ version: step.version }, `Migrated the database: ${step.name}`)
    if (ran) applied += 1
  }
  return applied
}

/** 0 for a database without any of our tables. */
export const schemaVersion = async ({ dialect, read }: Pick<Database, 'dialect' | 'read'>): Promise<number> => {
  if (!(await dialect.tableExists(read, 'schema_version'))) return 0
  const { rows } = await sql<{ version: number }>`select version from schema_version`.execute(read)
  return rows[0]?.version ?? 0
}

const versionAfter = (steps: readonly Migration[]): number => steps.at(-1)?.version ?? 0

export const latestVersion = versionAfter(migrations)

const refuseUnknown = (version: number, latest: number): void => {
  if (version > latest)
    throw new NewerSchemaError(
      `The database has schema version ${version}, this program knows up to ${latest}. Start the newer program again; nothing was changed.`,
    )
  refuseOlder(version, 'The database has', `${remedyForOlder}; nothing was changed.`)
}

const refuseForeign = async ({ dialect, read }: Database): Promise<void> => {
  const table = await dialect.foreignTable(read)
  // Another node may have made the tables meanwhile.
  if (table === undefined || (await dialect.tableExists(read, 'schema_version'))) return
  throw new UnknownSchemaError(
    `The database has a table "${table}" of another program, and none of Carrel's. Name a database of Carrel's own; no table was changed.`,
  )
}

/** A database without any of our tables is older than nothing. */
export const isBeforeBaseline = (version: number): boolean => version > 0 && version < baseline.version

export const refuseOlder = (version: number, beginning: string, remedy: string): void => {
  if (isBeforeBaseline(version))
    throw new OlderSchemaError(`${beginning} schema version ${version}, ${takesOver}. ${remedy}`)
}

export const takesOver = `this program takes over from ${baseline.version} on`

/** The schema was another one each week before 0.1.0, and the steps between are not kept: decision 049. */
export const remedyForOlder = 'Go on with the program that has made it, or begin with an empty data directory'

/** Two nodes may create the table at once; PostgreSQL then fails one of them, in spite of `if not exists`. */
const ensureVersionTable = async (database: Database): Promise<void> => {
  try {
    await database.write((db) => beforeAnybodyKeeps(() => createVersionTable(db)))
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
