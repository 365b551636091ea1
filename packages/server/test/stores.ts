import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import * as api from '@carrel/api'
import type { TaskDefinition } from '../src/tasks/define-task.ts'
import type { WorkContext } from '../src/work.ts'
import { openRowSource } from '../src/database/rows.ts'
import { importFromServer } from '../src/features/imports/tasks.ts'
import { bodyOf } from './outcome.ts'
import { addLibraryOn, booksOf, scanNow } from './scanning.ts'
import { waitUntil } from './smoke/wait-until.ts'
import { type Person, startServer, type TestServer } from './start-server.ts'
import { workOn } from './work.ts'

export { forgetLibrary } from '../src/features/libraries/tasks.ts'

const stores = fileURLToPath(new URL('stores', import.meta.url))

const shelves = ['comics', 'manga', 'ebooks'] as const
export type Shelf = (typeof shelves)[number]

const names: Readonly<Record<Shelf, string>> = { comics: 'Comics', manga: 'Manga', ebooks: 'Ebooks' }

/** Where the books of one of its libraries lie. */
export const shelfFolder = (shelf: Shelf): string => join(stores, 'books', shelf)

/** The libraries of the household as they are now, scanned; by their folder. */
export const scanHousehold = async (server: TestServer): Promise<Readonly<Record<Shelf, string>>> => {
  const libraries: Partial<Record<Shelf, string>> = {}
  for (const shelf of shelves) {
    const id = await addLibraryOn(server, { roots: [shelfFolder(shelf)], name: names[shelf] })
    await scanNow(server, id)
    libraries[shelf] = id
  }
  return libraries as Record<Shelf, string>
}

/** The ids of our books by the paths that `expected.json` has. */
export const booksByPath = async (
  server: TestServer,
  libraries: Readonly<Record<Shelf, string>>,
): Promise<ReadonlyMap<string, string>> => {
  const ids = new Map<string, string>()
  for (const shelf of shelves)
    for (const [path, { id }] of await booksOf(server, libraries[shelf])) ids.set(`${shelf}/${path}`, id)
  return ids
}

/** A store of a kind as it lies in a folder: unpacked, under the name it has there. */
export const unpackStore = async (name: string, folder: string, as = basename(name).replace(/\.gz$/, '')) => {
  const path = join(folder, as)
  await writeFile(path, gunzipSync(await readFile(join(stores, name))))
  return path
}

/** A library of calibre with the files beside its database, and with calibre-web's. */
export const unpackCalibre = async (folder: string): Promise<string> => {
  const path = join(folder, 'calibre')
  await cp(join(stores, 'calibre/library'), path, { recursive: true })
  await unpackStore('calibre/app.db.gz', path)
  await unpackStore('calibre/library/metadata.db.gz', path)
  return path
}

export interface Household extends AsyncDisposable {
  readonly server: TestServer
  readonly admin: Person
  /** Stores may be put there. */
  readonly folder: string
  readonly libraries: Readonly<Record<Shelf, string>>
  readonly bookAt: (path: string) => string
}

/** A server that has scanned the libraries of the household, before anything is brought. */
export const startHousehold = async (): Promise<Household> => {
  await using started = new AsyncDisposableStack()
  const server = started.use(await startServer())
  const folder = await mkdtemp(join(tmpdir(), 'carrel-import-'))
  started.defer(() => rm(folder, { recursive: true, force: true }))
  const admin = await server.person('admin', { username: 'keeper' })
  const libraries = await scanHousehold(server)
  const byPath = await booksByPath(server, libraries)
  const bookAt = (words: string): string => [...byPath].find(([path]) => path.includes(words))?.[1] ?? ''
  const all = started.move()
  return { server, admin, folder, libraries, bookAt, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

export const expectedOf = async <Expected>(name: string): Promise<Expected> =>
  JSON.parse(await readFile(join(stores, name), 'utf8')) as Expected

const killed = 'The worker was killed'

const underWay: ReadonlySet<api.ImportDto['state']> = new Set(['reading', 'applying', 'undoing'])

/** Until a worker has done what was asked for. One that goes on may take as long as it wants. */
const ended = async ({ context: { db } }: TestServer, admin: Person, importId: string): Promise<api.ImportDto> => {
  let last = ''
  for (;;) {
    const report = await waitUntil('an import that goes on, or has come to its end', async () => {
      const tasks = await db.read.selectFrom('task').select('last_error').where('last_error', 'is not', null).execute()
      const fault = tasks.find(({ last_error }) => last_error !== null && !last_error.includes(killed))
      if (fault) throw new Error(fault.last_error ?? '')
      const report = bodyOf(await admin.call(api.readImport, { params: { id: importId } }))
      return !underWay.has(report.state) || JSON.stringify(report.progress) !== last ? report : undefined
    })
    if (!underWay.has(report.state)) return report
    last = JSON.stringify(report.progress)
  }
}

/** A worker that is killed before it writes for the so-manieth time, and writes nothing more; the next one too, or not. */
export const killedBefore = (writesLeft: number, { always = false } = {}): typeof importFromServer => ({
  ...importFromServer,
  backOffMs: () => 0,
  run: (payload, context, resources) => {
    let writes = 0
    const write: typeof context.write = async (work) => {
      writes += 1
      if ((always || !context.isRepeated) && writes > writesLeft) throw new Error(killed)
      return context.write(work)
    }
    return importFromServer.run(payload, { ...context, write }, resources)
  },
})

/**
 * What imports and the queue write of themselves is no change, nor is who has signed in. Words, and names of genres, tags and
 * people, are dictionaries: an entry that nothing uses is shown nowhere, whoever has brought it.
 */
const ownTables =
  /^(?:import_|task|event|worker|schedule|revision|session|refresh_token|known_network|sign_in|search_word|text_word|term)/
/**
 * They say that something was touched. A version of a cover never goes back: browsers have kept its picture for good. The number of
 * what is found by the search says where it lies in the index, and SQLite puts what is written anew at the end.
 */
const touched: ReadonlySet<string> = new Set([
  'book updated_at',
  'book cover_version',
  'book_search number',
  'series updated_at',
  'series cover_version',
  'series_search number',
  'collection_search number',
  'read_list_search number',
  'cover_wanted at',
  'metadata_layer at',
  'user updated_at',
])

/** All rows of all tables, by their table, in an order of their own. */
export const changedTables = async ({ context }: TestServer): Promise<Readonly<Record<string, readonly string[]>>> => {
  const source = await openRowSource(context.config.database)
  try {
    const tables: Record<string, string[]> = {}
    for (const table of source.tables.filter(({ name }) => !ownTables.test(name))) {
      const texts: string[] = []
      const shown = (row: readonly unknown[]): string =>
        JSON.stringify(row.filter((_, index) => !touched.has(`${table.name} ${table.columns[index]}`)))
      for await (const rows of source.rows(table)) texts.push(...rows.map(shown))
      tables[table.name] = texts.toSorted()
    }
    return tables
  } finally {
    await source.close()
  }
}

export const importing = (
  server: TestServer,
  admin: Person,
  task = importFromServer,
  others: readonly TaskDefinition<never, WorkContext>[] = [],
) => {
  const working = async (start: () => Promise<{ readonly importId: string }>): Promise<api.ImportDto> => {
    const { importId } = await start()
    await using _ = workOn(server, [task, ...others], { settleMs: 20 })
    return await ended(server, admin, importId)
  }
  return {
    read: (body: api.NewImport) => working(async () => bodyOf(await admin.call(api.startImport, { body }))),
    apply: (id: string, choose: api.ImportChoice = {}) =>
      working(async () => bodyOf(await admin.call(api.applyImport, { params: { id }, body: { choose } }))),
    undo: (id: string) => working(async () => bodyOf(await admin.call(api.undoImport, { params: { id } }))),
  }
}
