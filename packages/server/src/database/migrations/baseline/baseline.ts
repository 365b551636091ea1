import { type Kysely, sql } from 'kysely'
import { type Migration, schemaChange } from '../migration.ts'
import type { Tables } from '../table-definition.ts'
import { accounts } from './accounts.ts'
import { catalogue } from './catalogue.ts'
import { covers } from './covers.ts'
import { doors } from './doors.ts'
import { duplicatesAndMerges } from './duplicates-and-merges.ts'
import { exports } from './exports.ts'
import { files } from './files.ts'
import { following } from './following.ts'
import { librariesAndScans } from './libraries-and-scans.ts'
import { lists } from './lists.ts'
import { matching } from './matching.ts'
import { metadata } from './metadata.ts'
import { outboxAndTasks } from './outbox-and-tasks.ts'
import { plugins } from './plugins.ts'
import { readers } from './readers.ts'
import { readingFigures } from './reading-figures.ts'
import { reading } from './reading.ts'
import { recommendations } from './recommendations.ts'
import { searchDocuments, searchWords } from './search.ts'
import { sessionsAndKeys } from './sessions-and-keys.ts'
import { settings } from './settings.ts'

/** In an order in which each area comes after those that its tables refer to. */
const areas: readonly Tables[] = [
  accounts,
  sessionsAndKeys,
  settings,
  outboxAndTasks,
  librariesAndScans,
  catalogue,
  files,
  covers,
  metadata,
  reading,
  readingFigures,
  readers,
  lists,
  following,
  searchDocuments,
  searchWords,
  duplicatesAndMerges,
  exports,
  doors,
  plugins,
  recommendations,
  matching,
]

/** The schema of 0.1.0. Its version is that of the last of the 41 migrations it takes the place of: decision 049. */
export const baseline: Migration = {
  version: 41,
  name: 'the schema of 0.1.0',
  run: async (db, dialect) => {
    const { createTable } = schemaChange(db, dialect)
    for (const tables of areas) for (const [name, table] of Object.entries(tables)) await createTable(name, table)
    for (const name of Object.keys(searchDocuments)) await dialect.textIndex.create(db, name)
    await dialect.createOwnTables(db)
    await insertCounters(db)
  },
}

/** There is one row of each from the beginning, so that nobody who counts on has to look whether it is there. */
const insertCounters = async (db: Kysely<unknown>): Promise<void> => {
  await sql`insert into revision (name, value) values ('access', 1), ('settings', 1)`.execute(db)
  await sql`insert into event_sequence (the_one, last_number) values (1, 0)`.execute(db)
  await sql`insert into task_total (the_one, succeeded, failed, succeeded_before, failed_before)
    values (1, 0, 0, 0, 0)`.execute(db)
}
