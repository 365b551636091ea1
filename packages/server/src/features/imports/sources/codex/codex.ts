import { type FileSource, type ForeignRecord, type Reader, recordLimits, SourceFault } from '../../records.ts'
import { inBatches } from '../batches.ts'
import { readBeside } from '../beside.ts'
import { withMoreTold } from '../counted-rows.ts'
import { openStore, requireTables, type StoreDatabase } from '../sqlite.ts'
import { countPassedOver, textOf, wholeOf } from '../values.ts'
import { booksIn, librariesIn, seriesIn } from './catalogue.ts'
import { collectionsIn, coverFile, coversIn, presetsIn, readListsIn } from './lists.ts'
import type { OpenStore } from './open-store.ts'
import { copyCodex } from './postgres.ts'
import { passedOverOf, pluginsIn, usersIn } from './people.ts'
import { selectSchema } from './queries.ts'
import { completionsIn, progressIn, ratingsIn, sessionsIn, wantsIn } from './reading.ts'

const tables = [
  'seaql_migrations',
  'libraries',
  'users',
  'series',
  'series_metadata',
  'books',
  'book_metadata',
  'read_progress',
  'user_series_ratings',
  'collections',
]

const needed = [
  ['books', 'partial_hash'],
  ['books', 'library_id'],
  ['series', 'path'],
  ['series', 'name'],
  ['series_metadata', 'genres_lock'],
  ['series_metadata', 'tags_lock'],
  ['users', 'role'],
  ['libraries', 'series_strategy'],
  ['read_progress', 'progress_percentage'],
] as const

/** The last change of the schema of 2.2.0. */
const newestMigration = 'm20260820_000108_create_user_plugin_oauth_states'

export const codex: Reader = {
  kind: 'codex',
  storeNames: ['codex.db', 'codex.sqlite'],
  read: async function* (source) {
    const passed = countPassedOver()
    using db = withMoreTold(await openCodex(source), passed)
    yield* inBatches(recordsOf({ db, passed, roots: new Map() }, source))
  },
  cover: async ({ folder }, ref) => {
    const cover = coverFile(folder, ref)
    return cover && readBeside(cover, recordLimits.coverBytes)
  },
  copyDatabase: copyCodex,
}

const openCodex = ({ store, scratch }: FileSource): Promise<StoreDatabase> =>
  openStore(store, scratch, (db) => {
    requireTables(db, 'Codex', tables)
    if (needed.some(([table, column]) => !db.has(table, column)))
      throw new SourceFault(
        'unknown_version',
        'This is from a version of Codex that this Carrel cannot read: it knows 2.2. Update that Codex, or this Carrel.',
      )
  })

function* recordsOf(store: OpenStore, { folder }: FileSource): Generator<ForeignRecord> {
  const schema = selectSchema(store.db, newestMigration)
  yield { type: 'source', kind: 'codex', version: null, schema: textOf(schema?.['newest']) }
  yield* librariesIn(store)
  yield* usersIn(store)
  yield* seriesIn(store)
  yield* booksIn(store)
  yield* progressIn(store)
  yield* sessionsIn(store)
  yield* completionsIn(store)
  yield* ratingsIn(store)
  yield* wantsIn(store)
  yield* collectionsIn(store)
  yield* readListsIn(store)
  yield* coversIn(store, folder)
  yield* presetsIn(store)
  yield* pluginsIn(store)
  yield* passedOverOf(store)
  const count = wholeOf(schema?.['unknown'], 1, 1_000_000)
  if (count !== null)
    yield {
      type: 'passedOver',
      what: 'changes of the schema since Codex 2.2.0, and what they added',
      reason: 'unreadable',
      count,
    }
  yield* store.passed.records()
}
