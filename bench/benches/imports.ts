import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import {
  applyImport,
  type Client,
  type ImportDto,
  readImport,
  startImport,
  undoImport,
} from '../../packages/api/src/index.ts'
import { emptyFiles } from '../books/empty-files.ts'
import { addLibrary, listOnce } from '../books/scan.ts'
import { loadSqlite } from '../databases/server-drivers.ts'
import { hashOf } from '../../packages/server/src/features/imports/sources/hashes.ts'
import type { BenchDatabase } from '../databases/database.ts'
import type { Bench, Figure } from '../figure.ts'
import { callerAt, makeInstallation } from '../installation.ts'
import { makeTemporaryDirectory } from '../temporary-directory.ts'

const seriesCount = 2000
const booksInSeries = 50
/** Each has begun or finished a part of the books, twenty thousand. */
const users = 5
const pollMs = 200
const tooLongMs = 30 * 60_000
/** From the first request until everything is taken over. */
const gate = { max: 300 }

const komgaSchema = fileURLToPath(
  new URL('../../packages/server/test/stores/komga/database.sqlite.gz', import.meta.url),
)

const pathOf = (series: number, book: number): string =>
  `Series ${series}/Series ${series} ${String(book).padStart(3, '0')}.cbz`

/** Every file says something else, in as many bytes. */
const bytes = 1000
const contentOf = (at: number): Buffer => Buffer.from(String(at).padStart(bytes, '.'))

interface MovingIn {
  readonly name: string
  readonly matchedBy: 'byPath' | 'byHash'
  /** Where the books lie here. */
  readonly ourPath: (series: number, book: number) => string
  readonly content: (at: number) => Buffer
}

/** A Komga with a hundred thousand books and five people moves in; files are found by where they lie, and none is read for it. */
export const movingIn: Bench = {
  names: ['import.komga'],
  isLong: true,
  run: ({ database }) =>
    moveIn(database, { name: 'import.komga', matchedBy: 'byPath', ourPath: pathOf, content: () => Buffer.alloc(0) }),
}

/** The same where all files lie elsewhere by now and have other names: each is known again by the hash that Komga keeps of it. */
export const movingInByHash: Bench = {
  names: ['import.komga.hashes'],
  isLong: true,
  run: ({ database }) =>
    moveIn(database, {
      name: 'import.komga.hashes',
      matchedBy: 'byHash',
      ourPath: (series, book) => `Elsewhere/${series}/${book} of it.cbz`,
      content: contentOf,
    }),
}

const moveIn = async (database: BenchDatabase, { name, matchedBy, ourPath, content }: MovingIn): Promise<Figure[]> => {
  const all = allBooks()
  await using files = await emptyFiles(all.map(({ series, book }) => ourPath(series, book)))
  if (matchedBy === 'byHash')
    for (const [at, { series, book }] of all.entries())
      writeFileSync(join(files.root, ourPath(series, book)), content(at))
  await using store = await writeStore(matchedBy === 'byHash')
  await using installation = await makeInstallation(await database.freshEnvironment())
  await using server = await installation.start()
  const call = callerAt(server.port, installation.token)
  const libraryId = await addLibrary(call, files.root)
  await listOnce(call, libraryId)
  const startedAt = performance.now()
  const elapsed = (): number => (performance.now() - startedAt) / 1000
  const source = { path: store.path }
  const libraries = [{ theirs: 'LIB', ours: libraryId }]
  const { importId: id } = bodyOf(await call(startImport, { body: { kind: 'komga', source, libraries } }))
  const read = await reached(call, id, 'ready')
  const readSeconds = elapsed()
  if (read.matched[matchedBy] !== all.length) throw new Error(`Found: ${JSON.stringify(read.matched)}`)
  bodyOf(await call(applyImport, { params: { id }, body: {} }))
  const applied = await reached(call, id, 'applied')
  const allSeconds = elapsed()
  console.log(`taken over: ${JSON.stringify(applied.taken)}`)
  bodyOf(await call(undoImport, { params: { id } }))
  await reached(call, id, 'undone')
  return [
    { name: `${name}, read and matched`, unit: 's', values: [readSeconds] },
    { name: `${name}, until all is taken over`, unit: 's', values: [allSeconds], gate },
    { name: `${name}, taken back`, unit: 's', values: [elapsed() - allSeconds] },
  ]
}

const allBooks = () =>
  Array.from({ length: seriesCount * booksInSeries }, (_, at) => ({
    id: `B${at}`,
    series: Math.floor(at / booksInSeries) + 1,
    book: (at % booksInSeries) + 1,
  }))

const bodyOf = <Body>(
  outcome: { readonly ok: true; readonly body: Body } | { readonly ok: false; readonly error: { message: string } },
): Body => {
  if (!outcome.ok) throw new Error(outcome.error.message)
  return outcome.body
}

const reached = async (call: Client, id: string, state: ImportDto['state']): Promise<ImportDto> => {
  const givenUpAt = performance.now() + tooLongMs
  for (;;) {
    const run = bodyOf(await call(readImport, { params: { id } }))
    if (run.state === state) return run
    if (run.state === 'failed' || performance.now() > givenUpAt) throw new Error(JSON.stringify(run.fault ?? run.state))
    await delay(pollMs)
  }
}

/** Komga makes it like this. */
const hashOfBytes = (content: Buffer): string =>
  hashOf('xxh3-128', {
    size: content.length,
    read: (position, length) => content.subarray(position, position + length),
  }) ?? ''

/** Tables as Komga makes them, with a library of ours in them. */
const writeStore = async (isHashed: boolean): Promise<AsyncDisposable & { readonly path: string }> => {
  const { path: folder, remove } = await makeTemporaryDirectory('carrel-bench-komga-')
  const path = join(folder, 'database.sqlite')
  writeFileSync(path, gunzipSync(readFileSync(komgaSchema)))
  const Sqlite = loadSqlite()
  const db = new Sqlite(path)
  db.pragma('foreign_keys = off')
  const tables = db.prepare(
    "select name from sqlite_schema where type = 'table' and name not like 'flyway%' and name not like 'sqlite%'",
  )
  db.transaction(() => {
    for (const name of tables.pluck().all()) db.exec(`delete from "${String(name)}"`)
    db.exec("insert into LIBRARY (ID, NAME, ROOT) values ('LIB', 'Comics', 'file:/media/comics/')")
    const addUser = db.prepare('insert into "USER" (ID, EMAIL, PASSWORD) values (?, ?, ?)')
    for (let user = 0; user < users; user += 1) addUser.run(`U${user}`, `reader${user}@bench.example`, 'x')
    const addSeries = db.prepare(
      "insert into SERIES (ID, NAME, URL, LIBRARY_ID, FILE_LAST_MODIFIED) values (?, ?, ?, 'LIB', '2024-01-01 00:00:00')",
    )
    const addSeriesWords = db.prepare(
      "insert into SERIES_METADATA (SERIES_ID, STATUS, TITLE, TITLE_SORT) values (?, 'ONGOING', ?, ?)",
    )
    for (let series = 1; series <= seriesCount; series += 1) {
      const name = `Series ${series}`
      addSeries.run(`S${series}`, name, `file:/media/comics/${encodeURIComponent(name)}/`)
      addSeriesWords.run(`S${series}`, name, name)
    }
    const addBook = db.prepare(
      "insert into BOOK (ID, NAME, URL, SERIES_ID, LIBRARY_ID, FILE_SIZE, NUMBER, FILE_LAST_MODIFIED, FILE_HASH) values (?, ?, ?, ?, 'LIB', 1000, ?, '2024-01-01 00:00:00', ?)",
    )
    const addWords = db.prepare('insert into BOOK_METADATA (BOOK_ID, NUMBER, NUMBER_SORT, TITLE) values (?, ?, ?, ?)')
    const addMedia = db.prepare(
      "insert into MEDIA (BOOK_ID, MEDIA_TYPE, STATUS, PAGE_COUNT) values (?, 'application/zip', 'READY', 20)",
    )
    const addState = db.prepare(
      'insert into READ_PROGRESS (BOOK_ID, USER_ID, PAGE, COMPLETED, READ_DATE, LAST_MODIFIED_DATE) values (?, ?, ?, ?, ?, ?)',
    )
    for (const [at, { id, series, book }] of allBooks().entries()) {
      const where = pathOf(series, book)
      addBook.run(
        id,
        where,
        `file:/media/comics/${where.split('/').map(encodeURIComponent).join('/')}`,
        `S${series}`,
        book,
        isHashed ? hashOfBytes(contentOf(at)) : '',
      )
      addWords.run(id, String(book), book, `Part ${book}`)
      addMedia.run(id)
      const isDone = at % 3 !== 0
      const time = new Date(Date.UTC(2024, 0, 1) + at * 60_000).toISOString().replace('T', ' ').slice(0, 19)
      addState.run(id, `U${at % users}`, isDone ? 20 : 7, isDone ? 1 : 0, time, time)
    }
  })()
  db.close()
  return { path, [Symbol.asyncDispose]: remove }
}
