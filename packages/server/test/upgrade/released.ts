import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'

export const folderOfReleases = fileURLToPath(new URL('releases', import.meta.url))
const folderOfMigrations = fileURLToPath(new URL('../../src/database/migrations', import.meta.url))

/** What is kept of a version that people have. */
export interface Release {
  readonly program: string
  readonly schemaVersion: number
  /** A digest of each file of migrations. */
  readonly migrations: Readonly<Record<string, string>>
}

export const releases: readonly Release[] = (existsSync(folderOfReleases) ? readdirSync(folderOfReleases) : [])
  .sort()
  .map((name) => JSON.parse(readFileSync(join(folderOfReleases, name, 'release.json'), 'utf8')) as Release)

/** Its database, as SQLite holds it: rows in every table, people with the password of tests. */
export const databaseOf = ({ program }: Release): Buffer =>
  gunzipSync(readFileSync(join(folderOfReleases, program, 'carrel.db.gz')))

/** Its tables on PostgreSQL, as `listPostgresSchema` lists them. */
export const postgresSchemaOf = ({ program }: Release): readonly string[] =>
  gunzipSync(readFileSync(join(folderOfReleases, program, 'postgres-schema.txt.gz')))
    .toString()
    .split('\n')

/** The files that make the schema are those that are numbered, and the baseline before them. */
export const digestsOfMigrations = (): Readonly<Record<string, string>> => {
  const names = readdirSync(folderOfMigrations, { recursive: true, encoding: 'utf8' })
  const made = names.filter((name) => /^(\d+-[^/]*|baseline\/[^/]*)\.ts$/.test(name) && !name.includes('.test.')).sort()
  return Object.fromEntries(made.map((name) => [name, digestOf(readFileSync(join(folderOfMigrations, name)))]))
}

const digestOf = (content: Buffer): string => createHash('sha256').update(content).digest('hex')
