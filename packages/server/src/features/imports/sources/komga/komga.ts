import { type FileSource, type ForeignRecord, type Reader, recordLimits, SourceFault } from '../../records.ts'
import { inBatches } from '../batches.ts'
import { openStore, requireTables, type StoreDatabase } from '../sqlite.ts'
import type { KomgaStore } from './store.ts'
import { bytesOf, countPassedOver, textOf, wholeOf } from '../values.ts'
import { booksIn, seriesIn } from './catalogue.ts'
import { collectionsIn, coversIn, pictureTables, readListsIn } from './lists.ts'
import { progressIn, usersIn } from './people.ts'
import { komgaAtAddress } from './address.ts'
import { rootsIn } from './urls.ts'
import { absent } from './words.ts'

/** The first schema with labels, one-shots and the order of lists that this reader relies on. */
const oldestSchema = '20230801104436'
const newestMigration = '20260225161438'

const tables = [
  'LIBRARY',
  'SERIES',
  'SERIES_METADATA',
  'BOOK',
  'BOOK_METADATA',
  'MEDIA',
  'USER',
  'READ_PROGRESS',
  'READLIST',
  'READLIST_BOOK',
  'COLLECTION',
  'COLLECTION_SERIES',
]

export const komga: Reader = {
  kind: 'komga',
  storeNames: ['database.sqlite'],
  read: async function* (source) {
    using db = await openKomga(source)
    const store = { db, passedOver: countPassedOver(), roots: rootsIn(db) }
    yield* inBatches(recordsOf(store))
  },
  cover: async (source, ref) => {
    using db = await openKomga(source)
    const [table = '', id = ''] = ref.split(' ')
    if (!pictureTables.has(table)) return undefined
    const row = db.first(`select THUMBNAIL as picture from ${table} where ID = @id and length(THUMBNAIL) <= @most`, {
      id,
      most: recordLimits.coverBytes,
    })
    return bytesOf(row?.['picture'], recordLimits.coverBytes) ?? undefined
  },
  atAddress: komgaAtAddress,
}

const openKomga = ({ store, scratch }: FileSource): Promise<StoreDatabase> =>
  openStore(store, scratch, (db) => requireTables(db, 'Komga', tables))

const recordsOf = function* (store: KomgaStore): Generator<ForeignRecord> {
  yield sourceIn(store)
  yield* librariesIn(store)
  yield* usersIn(store)
  yield* seriesIn(store)
  yield* booksIn(store)
  yield* progressIn(store)
  yield* readListsIn(store)
  yield* collectionsIn(store)
  yield* coversIn(store)
  yield* leftOutOf(store)
  yield* store.passedOver.records()
}

/** A newer schema is read as far as its tables are known: what this reader selects must be there all the same. */
const sourceIn = ({ db, passedOver }: KomgaStore): ForeignRecord => {
  const row = db.has('flyway_schema_history', 'version')
    ? db.first('select max(version) as version from flyway_schema_history where success = 1')
    : undefined
  const schema = textOf(row?.['version'], 20)
  if (schema !== null && schema < oldestSchema)
    throw new SourceFault(
      'unknown_version',
      `This is from a version of Komga before 1.3 (its schema is ${schema}). Update that Komga once, and take its database then.`,
    )
  if (schema !== null && schema > newestMigration) {
    if (!isLikeKnown(db))
      throw new SourceFault(
        'unknown_version',
        `This is from a newer version of Komga (its schema is ${schema}) than this Carrel knows. Update Carrel.`,
      )
    passedOver.add('what this newer version of Komga may keep besides', 'unreadable', schema)
  }
  return { type: 'source', kind: 'komga', version: null, schema }
}

const isLikeKnown = (db: StoreDatabase): boolean =>
  ['COMPLETED', 'READ_DATE', 'PAGE'].every((column) => db.has('READ_PROGRESS', column)) &&
  ['FILE_HASH', 'URL', 'FILE_SIZE'].every((column) => db.has('BOOK', column))

const librariesIn = function* ({ db, roots }: KomgaStore): Generator<ForeignRecord> {
  for (const row of db.rows('select ID as id, substr(NAME, 1, 4001) as name from LIBRARY order by NAME')) {
    const id = textOf(row['id'])
    if (id === null) continue
    const root = roots.get(id)
    yield {
      type: 'library',
      id,
      name: textOf(row['name'], 200) ?? id,
      roots: root === undefined ? [] : [root],
      // Both make a series of each folder that holds books; what lies in the folder of one-shots stands alone in both.
      grouping: { policy: 'folder', config: {} },
      readingDirection: null,
    }
  }
}

/** What the store has and nobody can take over, and what people might look for and it has not. */
const leftOutOf = function* ({ db }: KomgaStore): Generator<ForeignRecord> {
  for (const [table, what, reason] of [
    ['USER', 'passwords', 'secret'],
    ['USER_API_KEY', 'API keys', 'secret'],
    ['SERVER_SETTINGS', 'settings of the server', 'no_such_thing'],
    ['CLIENT_SETTINGS_USER', 'settings of the web app', 'no_such_thing'],
    ['SYNC_POINT', 'states of Kobo readers', 'no_such_thing'],
    ['PAGE_HASH', 'known duplicate pages', 'no_such_thing'],
  ] as const) {
    if (!db.has(table)) continue
    const count = wholeOf(db.first(`select count(*) as count from ${table}`)?.['count'], 1, Number.MAX_SAFE_INTEGER)
    if (count !== null) yield { type: 'passedOver', what, reason, count }
  }
  for (const what of absent) yield { type: 'passedOver', what, reason: 'not_in_store', count: null }
}
