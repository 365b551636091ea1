import type { FileFormat, ImportDto } from '@carrel/api'
import { importUnmatchedMax } from '@carrel/api'
import type { ReadDb } from '../../database/database.ts'
import { nameKey } from '../../platform/text/sort-key.ts'
import { foreseen } from './apply/foresee.ts'
import { loggedIn } from './apply/logged.ts'
import { freshAmong, keyOf } from './links.ts'
import type { MatchedBooks } from './matching/books.ts'
import type { LibraryChoice } from './matching/libraries.ts'
import { selectListsNamed, selectBookLocations } from './matching/queries.ts'
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
  | 'privateLists'
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
  privateLists: 0,
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
  /** What somebody has said of which of their libraries. */
  readonly chosen: readonly LibraryChoice[]
  readonly users: Report['users']
  readonly now: Date
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
  const lists = await listsOfSameName(db, of)
  const kept = {
    kind: of.kind,
    now: of.now,
    books: oursOf,
    series: of.series,
    logged: await loggedIn(db, of.importId),
    users: new Map(of.users.map(({ theirs, ours }) => [theirs, ours])),
    tagsToCome: new Set<string>(),
  }
  const { privateLists = 0, ...wouldCreate } = await foreseen(db, of.importId, kept)
  return {
    libraries: of.libraries,
    users: of.users,
    found: of.found,
    matched: { byHash: by('hash'), byPath: by('path'), byName: by('name') },
    unmatched: await someUnmatched(db, of, readers),
    unmatchedCount: matches.length - oursOf.size,
    wouldCreate: {
      libraries: of.libraries.filter(({ path }) => path !== null).length,
      ...nothing,
      ...wouldCreate,
    },
    privateLists,
    conflicts: [
      ...librariesUnknown(of),
      ...lists,
      ...(of.books.severalForOne > 0
        ? [{ kind: 'several_for_one' as const, what: 'books', count: of.books.severalForOne }]
        : []),
      ...(await shorterBooks(db, of.importId, oursOf)),
    ],
    passedOver: [
      ...(await passedOver(db, of.importId)),
      ...leftOut(of, { readers, unlocked: await countUnlocked(db, of.importId) }),
    ],
  }
}

/** These are told of even where there are none. */
const nothing = { users: 0, progress: 0, collections: 0, readLists: 0 }

/** Who has read in books that we do not have counts, for they lose something: whether a state tells of it, or a log. */
const readersOfUnmatched = async (
  db: ReadDb,
  importId: string,
  oursOf: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> => {
  const byBook = new Map<string, Set<string>>()
  for (const type of ['progress', 'session', 'completion'] as const)
    for await (const { records } of stagedRows(db, importId, type))
      for (const { book, user } of records.filter((each) => !oursOf.has(each.book))) noteReader(byBook, book, user)
  return byBook
}

const noteReader = (byBook: Map<string, Set<string>>, book: string, user: string): void => {
  const own = byBook.get(book)
  if (own) own.add(user)
  else byBook.set(book, new Set([user]))
}

type Readers = ReadonlyMap<string, ReadonlySet<string>>

/** Books that somebody has read in come first. */
const someUnmatched = async (
  db: ReadDb,
  { importId, books }: ToReport,
  readers: Readers,
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
        readers: readers.get(id)?.size ?? 0,
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

/** What is said of a library that theirs does not have would change nothing. */
const librariesUnknown = ({ libraries, chosen }: ToReport): Report['conflicts'] =>
  chosen
    .filter((choice) => libraries.every(({ theirs, name }) => theirs !== choice.theirs && name !== choice.theirs))
    .map(({ theirs }) => ({ kind: 'library_unknown', what: theirs, count: 1 }))

const listsOfSameName = async (db: ReadDb, { importId, kind }: ToReport): Promise<Report['conflicts']> => {
  const conflicts: Report['conflicts'][number][] = []
  for (const [type, table] of [
    ['collection', 'collection'],
    ['readList', 'read_list'],
  ] as const)
    for await (const { records } of stagedRows(db, importId, type)) {
      const keyed = records.map((record) => ({ name: record.name, key: keyOf(type, record.id, record.name) }))
      const fresh = await freshAmong(db, kind, keyed)
      const taken = await selectListsNamed(
        db,
        table,
        fresh.map(({ name }) => nameKey(name)),
      )
      const taking = fresh.filter(({ name }) => taken.has(nameKey(name)))
      conflicts.push(...taking.map(({ name: what }) => ({ kind: 'list_exists' as const, what, count: 1 })))
    }
  return conflicts.slice(0, conflictsMax)
}

const conflictsMax = 200

/** Each server counts the pages of a text in its own way: parts, positions, kilobytes. */
const flowing: ReadonlySet<FileFormat> = new Set(['epub', 'mobi', 'azw3', 'fb2'])

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
      if (!ours || pages === null || ours.pages === 0 || ours.pages >= pages || flowing.has(ours.format)) return []
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

/** Values that no lock holds: whether a person has said them, the other server does not know either. */
const countUnlocked = async (db: ReadDb, importId: string): Promise<number> => {
  let count = 0
  for (const type of ['series', 'book'] as const)
    for await (const { records } of stagedRows(db, importId, type))
      for (const { metadata } of records) count += Object.values(metadata).filter(({ locked }) => !locked).length
  return count
}

const leftOut = (
  { found, books, series }: ToReport,
  { readers, unlocked }: { readonly readers: Readers; readonly unlocked: number },
): Report['passedOver'] => {
  const readingsLost = [...readers.values()].reduce((sum, { size }) => sum + size, 0)
  const unmatchedBooks = books.matches.filter(({ ours }) => ours === null).length
  const unmatchedSeries = (found['series'] ?? 0) - series.size
  const rows = [
    { what: 'books', reason: 'not_matched' as const, count: unmatchedBooks },
    { what: 'series', reason: 'not_matched' as const, count: unmatchedSeries },
    { what: 'states of reading of books that are not here', reason: 'not_matched' as const, count: readingsLost },
    {
      what: 'values of metadata without a lock, which files say again',
      reason: 'not_a_persons_word' as const,
      count: unlocked,
    },
    ...notYet.map((type) => ({
      what: counted[type] ?? type,
      reason: 'not_yet' as const,
      count: found[counted[type] ?? type] ?? 0,
    })),
  ]
  return rows.filter(({ count }) => count > 0).map((row) => ({ ...row, examples: [] }))
}
