import { latestVersion, migrate } from '../src/database/migrate.ts'
import { migrations } from '../src/database/migrations/index.ts'
import { type Migration, schemaChange } from '../src/database/migrations/migration.ts'
import { type DatabaseAddress, openDatabase } from '../src/database/open.ts'
import { createLog } from '../src/platform/log.ts'

/** A program that begins a migration, says that it is half-way and goes no further, for a test to kill. */
const address = JSON.parse(process.argv[2] ?? '') as DatabaseAddress
const log = createLog({ level: 'silent', format: 'json' })
const database = await openDatabase(address, log, (error) => {
  throw error
})
const endless: Migration = {
  version: latestVersion + 1,
  name: 'endless',
  run: async (db, dialect) => {
    await schemaChange(db, dialect).createTable('shelf', { columns: { id: 'text' }, primaryKey: ['id'] })
    process.stdout.write('half-way\n')
    await new Promise(() => {
      setInterval(() => undefined, 1000)
    })
  },
}
await migrate({
  database,
  log,
  clock: () => new Date(),
  keepCopy: async () => undefined,
  steps: [...migrations, endless],
})
