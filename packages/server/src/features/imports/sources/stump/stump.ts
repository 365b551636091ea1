import { type FileSource, type ForeignRecord, type Reader, SourceFault } from '../../records.ts'
import { inBatches } from '../batches.ts'
import { withMoreTold } from '../counted-rows.ts'
import { openStore, requireTables, type StoreDatabase } from '../sqlite.ts'
import { countPassedOver, textOf } from '../values.ts'
import { booksIn, librariesIn, seriesIn } from './catalogue.ts'
import type { OpenStore } from './open-store.ts'
import { passedOverOf, usersIn } from './people.ts'
import { selectSchema } from './queries.ts'
import { annotationsIn, bookmarksIn, finishedIn, progressIn, readListsIn, reviewsIn } from './reading.ts'

const tables = [
  '_prisma_migrations',
  'libraries',
  'library_configs',
  'series',
  'series_metadata',
  'media',
  'media_metadata',
  'users',
  'tags',
]

/** These came in 2024; before, progress was of another form. */
const needed = [
  'age_restrictions',
  'reading_sessions',
  'finished_reading_sessions',
  'reviews',
  'bookmarks',
  'media_annotations',
  'reading_lists',
  'reading_list_items',
]

export const stump: Reader = {
  kind: 'stump',
  storeNames: ['stump.db'],
  read: async function* (source) {
    const passed = countPassedOver()
    using db = withMoreTold(await openStump(source), passed)
    yield* inBatches(recordsOf({ db, passed, roots: new Map() }))
  },
  // No cover is said to be somebody's choice.
  cover: async () => undefined,
}

const openStump = ({ store, scratch }: FileSource): Promise<StoreDatabase> =>
  openStore(store, scratch, (db) => {
    // From 0.1 on Stump changes its database with another program, and has other tables by the same names.
    if (db.has('seaql_migrations') && db.has('media'))
      throw new SourceFault(
        'unknown_version',
        'This is from Stump 0.1 or newer, whose database this Carrel does not know yet: it reads that of 0.0.11 and before.',
      )
    requireTables(db, 'Stump', tables)
    if (needed.some((table) => !db.has(table)))
      throw new SourceFault(
        'unknown_version',
        'This is from a version of Stump before reading sessions. Update that Stump to 0.0.11 once, and take its database then.',
      )
  })

function* recordsOf(store: OpenStore): Generator<ForeignRecord> {
  yield { type: 'source', kind: 'stump', version: null, schema: textOf(selectSchema(store.db)?.['newest']) }
  yield* librariesIn(store)
  yield* usersIn(store)
  yield* seriesIn(store)
  yield* booksIn(store)
  yield* progressIn(store)
  yield* finishedIn(store)
  yield* reviewsIn(store)
  yield* readListsIn(store)
  yield* bookmarksIn(store)
  yield* annotationsIn(store)
  yield* passedOverOf(store)
  yield* store.passed.records()
}
