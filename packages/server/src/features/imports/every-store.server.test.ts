import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ImportKind } from '@carrel/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, startServer, type TestServer } from '../../../test/start-server.ts'
import { booksByPath, changedTables, expectedOf, importing, scanHousehold, unpackStore } from '../../../test/stores.ts'
import { storePath } from '../../../test/stores/read.ts'

/** A book of theirs, as `expected.json` has it whatever the kind. */
interface ExpectedBook {
  readonly id: string
  readonly key: string
  /** Where nothing can find it, `how` is null, and `path` may say where it lies all the same. */
  readonly match: {
    readonly how: string | null
    readonly path: string | null
    readonly pagesNow: number | null
    readonly fate: string
  } | null
}

/** How far somebody is in a book of ours, worked out from what the store is known to say. */
interface Standing {
  readonly user: string
  readonly book: string
  readonly isCompleted: boolean
  /** Null where only a share is known, or the end. */
  readonly page: number | null
  readonly at: string | null
}

interface Store {
  readonly kind: ImportKind
  /** It puts the store into a folder and says what to name. */
  readonly prepare: (folder: string) => Promise<string>
  readonly expectation: string
  readonly booksOf: (expected: Expected) => readonly ExpectedBook[]
  readonly standingsOf: (expected: Expected) => readonly Standing[]
  /** It says where its files lay in their library. */
  readonly hasPaths: boolean
}

type Row = Readonly<Record<string, unknown>>
type Expected = Readonly<Record<string, readonly Row[]>>

const rowsIn = (value: unknown): readonly Row[] => (Array.isArray(value) ? (value as readonly Row[]) : [])
const textIn = (row: Row, name: string): string => {
  const value = row[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
const orNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)
const booksWith =
  (list: string, id: string, key = 'key') =>
  (expected: Expected): readonly ExpectedBook[] =>
    rowsIn(expected[list]).map((row) => ({
      id: textIn(row, id),
      key: textIn(row, key),
      match: row['match'] as ExpectedBook['match'],
    }))
const instant = (value: unknown): string => new Date(Date.parse(String(value))).toISOString()
const latest = (times: readonly string[]): string | null => times.toSorted().at(-1) ?? null

const kavita = (store: string, expectation: string): Store => ({
  kind: 'kavita',
  prepare: async (folder) => {
    await unpackStore(`kavita/${store}.gz`, folder, 'kavita.db')
    await cp(storePath('kavita', 'covers'), join(folder, 'covers'), { recursive: true })
    return folder
  },
  expectation,
  booksOf: booksWith('books', 'chapterId'),
  standingsOf: ({ progress = [], books = [] }) => {
    const epubs = new Set(books.filter((row) => row['format'] === 'epub').map((row) => textIn(row, 'key')))
    return progress
      .filter((row) => row['state'] !== 'unread')
      .map((row) => ({
        user: textIn(row, 'user'),
        book: textIn(row, 'book'),
        // What was finished once stays so while it is read again.
        isCompleted: row['state'] === 'read' || Number(row['totalReads'] ?? 0) > 0,
        page: row['state'] === 'read' || epubs.has(textIn(row, 'book')) ? null : Number(row['page']),
        at: textIn(row, 'modified'),
      }))
  },
  hasPaths: true,
})

const stores: readonly Store[] = [
  kavita('kavita.db', 'kavita/expected.json'),
  kavita('kavita-0.8.3.16.db', 'kavita/expected-0.8.3.16.json'),
  {
    kind: 'codex',
    prepare: async (folder) => {
      await unpackStore('codex/codex.db.gz', folder)
      await cp(storePath('codex', 'uploads'), join(folder, 'uploads'), { recursive: true })
      return folder
    },
    expectation: 'codex/expected.json',
    booksOf: booksWith('books', 'id'),
    standingsOf: ({ progress = [], sessions = [], completions = [], books = [] }) => {
      const epubs = new Set(books.filter((row) => row['format'] === 'epub').map((row) => textIn(row, 'key')))
      const isSame = (a: Row, b: Row): boolean => a['user'] === b['user'] && a['book'] === b['book']
      return progress.map((row) => ({
        user: textIn(row, 'user'),
        book: textIn(row, 'book'),
        isCompleted:
          isFinishedIn(sessions.filter((each) => isSame(each, row))) ||
          (row['completed'] === 1 && completions.some((each) => isSame(each, row))),
        page: row['completed'] === 1 || epubs.has(textIn(row, 'book')) ? null : Number(row['current_page']),
        at: latest(sessions.filter((each) => isSame(each, row)).map((each) => instant(each['client_ended_at']))),
      }))
    },
    hasPaths: true,
  },
  {
    kind: 'stump',
    prepare: (folder) => unpackStore('stump/stump.db.gz', folder),
    expectation: 'stump/expected.json',
    booksOf: booksWith('books', 'id'),
    standingsOf: ({ active = [], finished = [] }) => {
      const ofPair = (rows: readonly Row[]) =>
        Map.groupBy(rows, (row) => `${textIn(row, 'user')}\n${textIn(row, 'book')}`)
      const [reading, done] = [ofPair(active), ofPair(finished)]
      return [...new Set([...reading.keys(), ...done.keys()])].map((pair) => {
        const [user = '', book = ''] = pair.split('\n')
        const [now] = reading.get(pair) ?? []
        const end = latest((done.get(pair) ?? []).map((row) => textIn(row, 'completed')))
        const updated = now === undefined ? null : textIn(now, 'updated')
        return {
          user,
          book,
          isCompleted: done.has(pair),
          page: typeof now?.['page'] === 'number' ? now['page'] : null,
          // What is written at the very time of the end was begun after it.
          at: updated !== null && updated === end ? new Date(Date.parse(end) + 1).toISOString() : (updated ?? end),
        }
      })
    },
    hasPaths: true,
  },
  {
    kind: 'calibre',
    prepare: async (folder) => {
      await cp(storePath('calibre', 'library'), folder, { recursive: true })
      await unpackStore('calibre/app.db.gz', folder)
      await unpackStore('calibre/library/metadata.db.gz', folder)
      return folder
    },
    expectation: 'calibre/expected.json',
    booksOf: booksWith('books', 'id'),
    standingsOf: ({ books = [], calibreWeb }) => {
      const { readStatus } = calibreWeb as unknown as { readStatus: readonly Row[] }
      const told = new Set(readStatus.map((row) => `${textIn(row, 'user')} ${textIn(row, 'book')}`))
      const byColumn = books
        .filter((row) => (row['custom'] as Row)['read'] === true && !told.has(`mara ${textIn(row, 'key')}`))
        .map((row) => ({
          user: 'mara',
          book: textIn(row, 'key'),
          isCompleted: true,
          page: null,
          at: instant((row['custom'] as Row)['read_date']),
        }))
      return [
        ...byColumn,
        ...readStatus.map((row) => ({
          user: textIn(row, 'user'),
          book: textIn(row, 'book'),
          isCompleted: row['status'] === 'finished',
          page: null,
          at: textIn(row, 'modified'),
        })),
      ]
    },
    hasPaths: false,
  },
  {
    kind: 'mihon',
    prepare: async (folder) => {
      const { file } = await expectedOf<{ file: string }>('mihon/expected.json')
      await cp(storePath('mihon', file), join(folder, file))
      return join(folder, file)
    },
    expectation: 'mihon/expected.json',
    // What it names has no path to compare with.
    booksOf: () => [],
    standingsOf: ({ manga = [] }) =>
      manga
        .flatMap((row) => rowsIn(row['chapters']))
        .filter((row) => row['read'] === true || row['page'] !== null)
        .filter((row) => row['book'] !== null)
        .map((row) => ({
          user: 'keeper',
          book: textIn(row, 'book'),
          isCompleted: row['read'] === true,
          page: row['read'] === true ? null : Number(row['page']),
          at:
            orNull(row['lastReadAt']) ??
            (row['modified'] === null ? null : new Date(Number(row['modified']) * 1000).toISOString()),
        })),
    hasPaths: false,
  },
  {
    kind: 'lanraragi',
    prepare: async (folder) => {
      await cp(storePath('lanraragi', 'backup.json'), join(folder, 'backup.json'))
      return folder
    },
    expectation: 'lanraragi/expected.json',
    booksOf: booksWith('archives', 'arcid', 'book'),
    standingsOf: () => [],
    hasPaths: false,
  },
]

/** Finished, and not taken back since. */
const isFinishedIn = (log: readonly Row[]): boolean => {
  const inOrder = log.toSorted(
    (a, b) => Date.parse(textIn(a, 'client_ended_at')) - Date.parse(textIn(b, 'client_ended_at')),
  )
  return inOrder
    .slice(inOrder.findLastIndex((row) => row['kind'] === 'reset') + 1)
    .some((row) => row['kind'] === 'completed')
}

let server: TestServer
let admin: Person
let folder = ''
/** Ours, by the paths that expectations have. */
let byPath: ReadonlyMap<string, string> = new Map()
beforeAll(async () => {
  server = await startServer()
  admin = await server.person('admin', { username: 'keeper' })
  folder = await mkdtemp(join(tmpdir(), 'carrel-imports-'))
  byPath = await booksByPath(server, await scanHousehold(server))
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

const prepared = async (store: Store) => {
  const own = await mkdtemp(join(folder, 'store-'))
  const path = await store.prepare(own)
  return { body: { kind: store.kind, source: { path } }, expected: await expectedOf<Expected>(store.expectation) }
}

const matchesOf = async (importId: string): Promise<ReadonlyMap<string, string | null>> => {
  const rows = await server.context.db.read
    .selectFrom('import_part')
    .select('records')
    .where('import_id', '=', importId)
    .where('type', '=', 'bookMatch')
    .execute()
  const matches = rows.flatMap(({ records }) => JSON.parse(records) as { theirs: string; ours: string | null }[])
  return new Map(matches.map(({ theirs, ours }) => [theirs, ours]))
}

test.each(stores)('C25 every book in $expectation is matched with the one that it is now', async (store) => {
  const { body, expected } = await prepared(store)
  const { id, state, fault } = await importing(server, admin).read(body)
  expect([state, fault]).toEqual(['ready', null])
  const matches = await matchesOf(id)
  for (const { id: theirs, key, match } of store.booksOf(expected)) {
    const here = byPath.get(match?.path ?? '') ?? null
    const ourId = matches.get(theirs) ?? null
    // What can be found by nothing may be found by what stands in the file; of what is there twice nothing but a path tells which it is.
    const isOpen = match?.how === null || (match?.fate === 'twice' && !store.hasPaths)
    expect([key, ourId]).toEqual([key, isOpen && ourId === null ? null : here])
  }
})

const standings = async () =>
  server.context.db.read
    .selectFrom('read_progress')
    .innerJoin('user', 'user.id', 'read_progress.user_id')
    .select([
      'user.username',
      'read_progress.book_id',
      'read_progress.page',
      'read_progress.completed',
      'read_progress.updated_at',
    ])
    .execute()

/** By the keys of the household, from the one store that knows where each book is now. */
const booksByKey = async (): Promise<ReadonlyMap<string, { id: string; pages: number | null }>> => {
  const { books = [] } = await expectedOf<Expected>('codex/expected.json')
  return new Map(
    books.flatMap((row) => {
      const match = row['match'] as ExpectedBook['match']
      const id = byPath.get(match?.path ?? '')
      return id === undefined ? [] : [[textIn(row, 'key'), { id, pages: match?.pagesNow ?? null }]]
    }),
  )
}

test.each(stores)(
  'C25 what $expectation says of reading comes over, and all of it can be taken back',
  async (store) => {
    const { body, expected } = await prepared(store)
    const { read, apply, undo } = importing(server, admin)
    const before = await changedTables(server)
    const { id, found } = await read(body)
    const matched = new Set((await matchesOf(id)).values())
    const applied = await apply(id)
    expect([applied.state, applied.fault]).toEqual(['applied', null])
    expect(Object.keys(applied.taken)).not.toEqual([])
    expect(applied.taken['presets'] ?? 0).toBe(found['presets'] ?? 0)

    const keys = await booksByKey()
    const rows = await standings()
    const theirs = store.standingsOf(expected).filter(({ book }) => matched.has(keys.get(book)?.id ?? ''))
    expect(rows).toHaveLength(theirs.length)
    for (const { user, book, isCompleted, page, at } of theirs) {
      const ours = keys.get(book)
      const row = rows.find((each) => each.username === user && each.book_id === ours?.id)
      expect(row, `${user} in ${book}`).toMatchObject({
        completed: isCompleted ? 1 : 0,
        ...(at !== null && { updated_at: at }),
        ...(page !== null && { page: Math.min(page, ours?.pages ?? page) }),
      })
    }

    const standing = await changedTables(server)
    const again = await read(body)
    expect(await apply(again.id)).toMatchObject({ state: 'applied' })
    expect(await changedTables(server)).toEqual(standing)
    expect(await undo(again.id)).toMatchObject({ state: 'undone' })
    expect(await undo(id)).toMatchObject({ state: 'undone' })
    expect(await changedTables(server)).toEqual(before)
  },
)
