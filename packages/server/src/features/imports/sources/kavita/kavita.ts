import { type FileSource, type ForeignRecord, type Reader, recordLimits, SourceFault } from '../../records.ts'
import { inBatches } from '../batches.ts'
import { readBeside } from '../beside.ts'
import { withMoreTold } from '../counted-rows.ts'
import { openStore, requireTables, type StoreDatabase } from '../sqlite.ts'
import { countPassedOver, textOf, wholeOf } from '../values.ts'
import { booksIn, librariesIn, seriesIn } from './catalogue.ts'
import { collectionsIn, coverFile, coversIn, onDeckRemovalsIn, readListsIn, wantsIn } from './lists.ts'
import { annotationsIn, bookmarksIn, ratingsIn } from './notes.ts'
import type { OpenStore } from './open-store.ts'
import { passedOverOf, usersIn } from './people.ts'
import { selectSchema, selectVersion } from './queries.ts'
import { progressIn, sessionsIn } from './reading.ts'

const tables = [
  'Library',
  'FolderPath',
  'Series',
  'SeriesMetadata',
  'Volume',
  'Chapter',
  'MangaFile',
  'AspNetUsers',
  'AppUserProgresses',
]

/** A version before the summer of 2024 says otherwise that a chapter has no volume, and its people are tied to it otherwise. */
const needed = [
  ['Volume', 'LookupName'],
  ['Chapter', 'SortOrder'],
  ['Chapter', 'TitleNameLocked'],
  ['AppUserProgresses', 'LastModifiedUtc'],
  ['SeriesMetadataPeople', 'Role'],
  ['AppUserCollection', 'Promoted'],
  ['ReadingList', 'Promoted'],
  ['AppUserRating', 'HasBeenRated'],
] as const

/** The last change of the schema of 0.9.0.7. */
const newestMigration = '20260603195056_ScrobbleRuleHistory'

export const kavita: Reader = {
  kind: 'kavita',
  storeNames: ['kavita.db'],
  read: async function* (source) {
    const passed = countPassedOver()
    using db = withMoreTold(await openKavita(source), passed)
    yield* inBatches(recordsOf({ db, passed, roots: new Map(), parts: new Map() }, source))
  },
  cover: async ({ folder }, ref) => {
    const cover = coverFile(folder, ref)
    return cover && readBeside(cover, recordLimits.coverBytes)
  },
}

const openKavita = ({ store, scratch }: FileSource): Promise<StoreDatabase> =>
  openStore(store, scratch, (db) => {
    requireTables(db, 'Kavita', tables)
    const missing = needed.find(([table, column]) => !db.has(table, column))
    if (missing !== undefined) throw unknownVersion(textOf(selectVersion(db)?.['version']))
  })

const unknownVersion = (version: string | null): SourceFault =>
  new SourceFault(
    'unknown_version',
    `This is from Kavita ${version ?? 'of an unknown version'}, which this Carrel cannot read: it knows 0.8.3 to 0.9. Update that Kavita, or this Carrel.`,
  )

function* recordsOf(store: OpenStore, { folder }: FileSource): Generator<ForeignRecord> {
  const schema = selectSchema(store.db, newestMigration)
  yield {
    type: 'source',
    kind: 'kavita',
    version: textOf(selectVersion(store.db)?.['version']),
    schema: textOf(schema?.['newest']),
  }
  yield* librariesIn(store)
  yield* usersIn(store)
  yield* seriesIn(store)
  // Books come before all that is said of them: they tell which chapters are several books.
  yield* booksIn(store)
  yield* progressIn(store)
  yield* sessionsIn(store)
  yield* ratingsIn(store)
  yield* wantsIn(store)
  yield* onDeckRemovalsIn(store)
  yield* collectionsIn(store)
  yield* readListsIn(store)
  yield* bookmarksIn(store)
  yield* annotationsIn(store)
  yield* coversIn(store, folder)
  yield* passedOverOf(store)
  const count = wholeOf(schema?.['unknown'], 1, 1_000_000)
  if (count !== null)
    yield {
      type: 'passedOver',
      what: 'changes of the schema since Kavita 0.9.0.7, and what they added',
      reason: 'unreadable',
      count,
    }
  yield* store.passed.records()
}
