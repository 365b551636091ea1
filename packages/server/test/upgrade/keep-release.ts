import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import Sqlite from 'better-sqlite3'
import { latestVersion } from '../../src/database/migrate.ts'
import { version } from '../../src/version.ts'
import { migrateFresh } from '../migrate-fresh.ts'
import { startPostgres } from '../postgres.ts'
import { writeDataOfBefore } from './data-of-before.ts'
import { digestsOfMigrations, folderOfReleases, type Release } from './released.ts'
import { listPostgresSchema } from './schema-listing.ts'

/** `npm run keep-release`, when a version goes out: what later versions are tested with. From then on none of it changes. */
const keep = async (): Promise<void> => {
  const folder = join(folderOfReleases, version)
  mkdirSync(folder, { recursive: true })
  const release: Release = { program: version, schemaVersion: latestVersion, migrations: digestsOfMigrations() }
  writeFileSync(join(folder, 'release.json'), `${JSON.stringify(release, undefined, 2)}\n`)
  writeFileSync(join(folder, 'carrel.db.gz'), gzipSync(await makeDatabase(), { level: 9 }))
  const schema = (await schemaOnPostgres()).join('\n')
  writeFileSync(join(folder, 'postgres-schema.txt.gz'), gzipSync(schema, { level: 9 }))
  process.stdout.write(`${folder}: version ${version} with schema version ${latestVersion}\n`)
}

const makeDatabase = async (): Promise<Buffer> => {
  const folder = mkdtempSync(join(tmpdir(), 'carrel-release-'))
  const file = join(folder, 'carrel.db')
  await writeDataOfBefore(file)
  await migrateFresh({ kind: 'sqlite', file })
  const packed = join(folder, 'packed.db')
  const database = new Sqlite(file)
  database.prepare('vacuum into ?').run(packed)
  database.close()
  const bytes = readFileSync(packed)
  rmSync(folder, { recursive: true })
  return bytes
}

const schemaOnPostgres = async (): Promise<readonly string[]> => {
  const postgres = await startPostgres()
  try {
    await postgres.createDatabase('released')
    const url = postgres.urlOf('released')
    await migrateFresh({ kind: 'postgres', url })
    return await listPostgresSchema(url)
  } finally {
    await postgres.stop()
  }
}

await keep()
