import { type FileSource, type ForeignRecord, type Reader } from '../../records.ts'
import { inBatches } from '../batches.ts'
import { fileBeside } from '../beside.ts'
import { type PassedOver, withMoreTold } from '../counted-rows.ts'
import { openStore, requireTables, type StoreDatabase } from '../sqlite.ts'
import { countPassedOver, textOf, truthOf, wholeOf } from '../values.ts'
import { booksIn, librariesIn, seriesIn } from './catalogue.ts'
import type { OpenStore } from './open-store.ts'
import { peopleIn, usersIn } from './people.ts'
import { type CustomColumn, hasValues, selectColumns, selectLibrary } from './queries.ts'
import { annotationsIn, positionsIn, readFlagsIn, statesIn } from './reading.ts'
import { passedOverOf, shelvesIn } from './shelves.ts'

const tables = [
  'books',
  'authors',
  'books_authors_link',
  'tags',
  'books_tags_link',
  'series',
  'books_series_link',
  'publishers',
  'books_publishers_link',
  'ratings',
  'books_ratings_link',
  'languages',
  'books_languages_link',
  'identifiers',
  'comments',
  'data',
  'custom_columns',
]
const tablesOfWeb = ['user', 'book_read_link', 'shelf', 'book_shelf_link']

export const calibre: Reader = {
  kind: 'calibre',
  storeNames: ['metadata.db'],
  read: async function* (source) {
    const passed = countPassedOver()
    using db = withMoreTold(
      await openStore(source.store, source.scratch, (db) => requireTables(db, 'calibre', tables)),
      passed,
    )
    using web = await openWeb(source, passed)
    const columns = columnsIn(db, passed)
    const store = { db, web, passed, folder: source.folder, columns, people: peopleIn(web), books: new Set<number>() }
    yield* inBatches(recordsOf(store))
  },
  // Calibre makes a cover for every book, and does not say which of them somebody has chosen.
  cover: async () => undefined,
}

const openWeb = async (source: FileSource, passed: PassedOver): Promise<StoreDatabase | undefined> => {
  const appDatabase = fileBeside(source.folder, ['app.db', 'config/app.db', 'calibre-web/app.db'])
  if (appDatabase === undefined) return undefined
  return withMoreTold(
    await openStore(appDatabase.path, source.scratch, (db) => requireTables(db, 'calibre-web', tablesOfWeb)),
    passed,
  )
}

/** A statement cannot name columns without end, and nobody has as many. */
const columnsMax = 200

const columnsIn = (db: StoreDatabase, passed: PassedOver): readonly CustomColumn[] => {
  const columns: CustomColumn[] = []
  for (const row of selectColumns(db, columnsMax)) {
    const [id, label] = [wholeOf(row['id'], 0, Number.MAX_SAFE_INTEGER), textOf(row['label'])]
    if (id === null || label === null) continue
    const column = {
      id,
      label,
      datatype: textOf(row['datatype']) ?? '',
      isMultiple: truthOf(row['isMultiple']),
      isNormalized: truthOf(row['isNormalized']),
    }
    if (hasValues(db, column)) columns.push(column)
    else passed.add('columns that are worked out from others', 'not_a_persons_word', label)
  }
  return columns
}

function* recordsOf(store: OpenStore): Generator<ForeignRecord> {
  const library = selectLibrary(store.db)
  yield { type: 'source', kind: 'calibre', version: null, schema: textOf(library?.['schema']) }
  yield* librariesIn(store)
  yield* usersIn(store)
  yield* seriesIn(store)
  yield* booksIn(store)
  const told = new Set<string>()
  if (store.web !== undefined) {
    yield* statesIn(store, store.web, told)
    yield* shelvesIn(store, store.web)
  }
  yield* readFlagsIn(store, told)
  yield* positionsIn(store)
  yield* annotationsIn(store)
  yield* passedOverOf(store)
  yield* store.passed.records()
}
