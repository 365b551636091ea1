import type { ImportDto } from '@carrel/api'
import { importUnmatchedMax } from '@carrel/api'
import type { ReadDb } from '../../database/database.ts'
import { nameKey } from '../../platform/text/sort-key.ts'
import { keyOf } from './links.ts'
import type { MatchedBooks } from './matching/books.ts'
import { selectListsNamed, selectBookLocations } from './matching/queries.ts'
import { selectLinks } from './queries.ts'
import type { PassedOverRecord, RecordType } from './records.ts'
import { allStaged, type StagedType, stagedRows } from './staging.ts'

export type Report = Pick<
  ImportDto,
  | 'libraries'
  | 'users'
  | 'found'
  | 'matched'
  | 'unmatched'
  | 'unmatchedCount'
  | 'wouldCreate'
  | 'conflicts'
  | 'passedOver'
>

export const emptyReport: Report = {
  libraries: [],
  users: [],
  found: {},
  matched: { byHash: 0, byPath: 0, byName: 0 },
  unmatched: [],
  unmatchedCount: 0,
  wouldCreate: {},
  conflicts: [],
  passedOver: [],
}

interface ToReport {
  readonly importId: string
  readonly kind: ImportDto['kind']
  readonly found: Report['found']
  readonly books: MatchedBooks
  readonly series: ReadonlyMap<string, string>
  readonly libraries: Report['libraries']
  readonly users: Report['users']
}

const counted: Partial<Record<RecordType, string>> = {
  library: 'libraries',
  user: 'users',
  series: 'series',
  book: 'books',
  progress: 'progress',
  session: 'sessions',
  completion: 'completions',
  rating: 'ratings',
  collection: 'collections',
  readList: 'readLists',
  category: 'categories',
  want: 'wants',
  bookmark: 'bookmarks',
  annotation: 'annotations',
  onDeckRemoval: 'onDeckRemovals',
  cover: 'covers',
  preset: 'presets',
  koreaderPosition: 'koreaderPositions',
  pluginSettings: 'pluginSettings',
}

/** Records that nothing here can be made of yet: they are told, and left. */
const notYet: readonly RecordType[] = ['koreaderPosition']

export const countsOf = (counts: ReadonlyMap<RecordType, number>): Report['found'] =>
  Object.fromEntries(
    [...counts].flatMap(([type, count]): [string, number][] => {
      const name = counted[type]
      return name === undefined ? [] : [[name, count]]
    }),
  )

export const makeReport = async (db: ReadDb, of: ToReport): Promise<Report> => {
  const { matches } = of.books
  const oursOf = new Map(matches.flatMap(({ theirs, ours }) => (ours === null ? [] : [[theirs, ours] as const])))
  const by = (how: 'hash' | 'path' | 'name') => matches.filter((match) => match.by === how).length
  const readers = await readersOfUnmatched(db, of.importId, oursOf)
  const lists = await newLists(db, of)
  return {
    libraries: of.libraries,
    users: of.users,
    found: of.found,
    matched: { byHash: by('hash'), byPath: by('path'), byName: by('name') },
    unmatched: await someUnmatched(db, of, readers.byBook),
    unmatchedCount: matches.length - oursOf.size,
    wouldCreate: {
      libraries: of.libraries.filter(({ path }) => path !== null).length,
      users: of.users.filter(({ ours }) => ours === null).length,
      progress: readers.matched,
      ...lists.created,
    },
    conflicts: [
      ...lists.conflicts,
      ...(of.books.severalForOne > 0
        ? [{ kind: 'several_for_one' as const, what: 'books', count: of.books.severalForOne }]
        : []),
      ...(await shorterBooks(db, of.importId, oursOf)),
    ],
    passedOver: [...(await passedOver(db, of.importId)), ...leftOut(of, readers.unmatched)],
  }
}

/** Who has read in books that we do not have counts, for they lose something. */
const readersOfUnmatched = async (db: ReadDb, importId: string, oursOf: ReadonlyMap<string, string>) => {
  const byBook = new Map<string, number>()
  let matched = 0
  let unmatched = 0
  for await (const { records } of stagedRows(db, importId, 'progress'))
    for (const { book } of records) {
      if (oursOf.has(book)) matched += 1
      else {
        unmatched += 1
        byBook.set(book, (byBook.get(book) ?? 0) + 1)
      }
    }
  return { byBook, matched, unmatched }
}

/** Books that somebody has read in come first. */
const someUnmatched = async (
  db: ReadDb,
  { importId, books }: ToReport,
  readers: ReadonlyMap<string, number>,
): Promise<Report['unmatched']> => {
  const shown: Report['unmatched'][number][] = []
  for await (const { records } of stagedRows(db, importId, 'book'))
    for (const { id, seriesTitle, number, title, path } of records) {
      const reason = books.reasons.get(id)
      if (reason === undefined) continue
      shown.push({
        theirs: id,
        series: seriesTitle,
        number,
        title,
        path,
        reason,
        readers: readers.get(id) ?? 0,
      })
      if (shown.length > 20 * importUnmatchedMax) shortened(shown)
    }
  return shortened(shown)
}

const shortened = (shown: Report['unmatched'][number][]): Report['unmatched'] => {
  shown.sort((one, other) => other.readers - one.readers)
  shown.splice(importUnmatchedMax)
  return shown
}

const newLists = async (db: ReadDb, { importId, kind }: ToReport) => {
  const conflicts: Report['conflicts'][number][] = []
  const created: Record<string, number> = {}
  for (const [type, table, name] of [
    ['collection', 'collection', 'collections'],
    ['readList', 'read_list', 'readLists'],
  ] as const) {
    created[name] = 0
    for await (const { records } of stagedRows(db, importId, type)) {
      const links = await selectLinks(
        db,
        kind,
        records.map((record) => keyOf(type, record.id, record.name)),
      )
      const fresh = records.filter((record) => !links.has(keyOf(type, record.id, record.name)))
      created[name] += fresh.length
      const taken = await selectListsNamed(
        db,
        table,
        fresh.map((record) => nameKey(record.name)),
      )
      const taking = fresh.filter((record) => taken.has(nameKey(record.name)))
      conflicts.push(...taking.map(({ name: what }) => ({ kind: 'list_exists' as const, what, count: 1 })))
    }
  }
  return { created, conflicts: conflicts.slice(0, conflictsMax) }
}

const conflictsMax = 200

/** A position may lie behind the end of a book that has fewer pages by now. */
const shorterBooks = async (
  db: ReadDb,
  importId: string,
  oursOf: ReadonlyMap<string, string>,
): Promise<Report['conflicts']> => {
  const shorter: Report['conflicts'][number][] = []
  for await (const { records } of stagedRows(db, importId, 'book')) {
    const placedBooks = await selectBookLocations(
      db,
      records.flatMap(({ id }) => oursOf.get(id) ?? []),
    )
    const fewer = records.flatMap(({ id, pages, seriesTitle, number }): Report['conflicts'] => {
      const ours = placedBooks.get(oursOf.get(id) ?? '')
      if (!ours || pages === null || ours.pages === 0 || ours.pages >= pages) return []
      const what = [seriesTitle, number].filter((part) => part !== null).join(' ')
      return [{ kind: 'fewer_pages', what, count: pages - ours.pages }]
    })
    shorter.push(...fewer.slice(0, conflictsMax - shorter.length))
  }
  return shorter
}

const passedOver = async (db: ReadDb, importId: string): Promise<Report['passedOver']> =>
  (await allStaged(db, importId, 'passedOver' satisfies StagedType)).map(
    ({ what, reason, count, examples = [] }: PassedOverRecord) => ({ what, reason, count, examples: [...examples] }),
  )

const leftOut = ({ found, books, series }: ToReport, statesUnmatched: number): Report['passedOver'] => {
  const unmatchedBooks = books.matches.filter(({ ours }) => ours === null).length
  const unmatchedSeries = (found['series'] ?? 0) - series.size
  const rows = [
    { what: 'books', reason: 'not_matched' as const, count: unmatchedBooks },
    { what: 'series', reason: 'not_matched' as const, count: unmatchedSeries },
    { what: 'states of reading of books that are not here', reason: 'not_matched' as const, count: statesUnmatched },
    ...notYet.map((type) => ({
      what: counted[type] ?? type,
      reason: 'not_yet' as const,
      count: found[counted[type] ?? type] ?? 0,
    })),
  ]
  return rows.filter(({ count }) => count > 0).map((row) => ({ ...row, examples: [] }))
}
