import type { FileFormat } from '@carrel/api'
import type { Database } from '../../../database/database.ts'
import { seriesNameKey, titleKey } from '../../../platform/text/name-keys.ts'
import type { BookRecord, HashKind } from '../records.ts'
import type { SourceReader } from '../sources/start-reader.ts'
import { type BookMatch, stagedRows } from '../staging.ts'
import { lookUpIn } from './libraries.ts'
import {
  type NumberedBook,
  type OurFile,
  type OurLibrary,
  selectBooksOfSeriesNamed,
  selectByKoreaderHash,
  selectFilesAfter,
  selectFilesAt,
  selectBookLocations,
} from './queries.ts'

export interface BookMatching {
  readonly db: Pick<Database, 'readSlowly'>
  readonly importId: string
  readonly reader: Pick<SourceReader, 'hash'>
  readonly ours: readonly OurLibrary[]
  /** The libraries of ours that theirs may be; none where they are to come. */
  readonly mapped: ReadonlyMap<string, string | null>
  /** Other names of their series, by id. */
  readonly otherTitles: ReadonlyMap<string, readonly string[]>
  readonly signal: AbortSignal
  readonly onHashed: (done: number, total: number) => void
}

export interface MatchedBooks {
  readonly matches: readonly BookMatch[]
  /** Theirs that stand for one of ours together. */
  readonly severalForOne: number
  /** By their id: why none of ours is meant. */
  readonly reasons: ReadonlyMap<string, 'no_book' | 'several_books' | 'no_library' | 'library_to_come'>
}

/** What is kept of each of their books until all are matched. */
interface TheirBook {
  readonly book: Pick<BookRecord, 'id' | 'library' | 'size' | 'number' | 'volume' | 'title' | 'seriesTitle' | 'series'>
  readonly hashes: BookRecord['hashes']
  readonly atPath: OurFile | undefined
  /** It is no comic, by the name of its file; undefined: nobody knows. */
  readonly isFlowing: boolean | undefined
  match: { readonly ours: string; readonly by: 'hash' | 'path' | 'name' } | undefined
  /** Several of ours may be meant; empty: none, or one. */
  candidates: readonly string[]
  /** Their bytes are the same. */
  byHash: boolean
}

/**
 * A book is found by the hash of its file, else by its path below the root, else by series and number. Files are read
 * for it only where nothing tells as much already, and no more of them than `budget` lets.
 */
export const matchBooks = async (matching: BookMatching): Promise<MatchedBooks> => {
  const books = await lookUpPaths(matching)
  await byStoredHash(matching, books)
  await byHashOfFiles(matching, books, sureKinds)
  for (const each of books) if (!each.match && each.atPath) each.match = { ours: each.atPath.bookId, by: 'path' }
  // It says less than where the file lies: many differ from KOReader's own.
  await byHashOfFiles(matching, books, weakKinds)
  await byName(matching, books)
  await byNeighbours(matching, books)
  return resultOf(matching, books)
}

const weakKinds: ReadonlySet<HashKind> = new Set(['koreader-komga', 'koreader-stump'])
/** All but what is known of our files anyway. */
const sureKinds: ReadonlySet<HashKind> = new Set<HashKind>([
  'sha256',
  'sha1',
  'md5',
  'xxh3-128',
  'sha256-1mib',
  'sha1-512000',
  'stump',
])

const lookUpPaths = async ({ db, importId, ours, mapped }: BookMatching): Promise<TheirBook[]> => {
  const rootsOf = new Map(ours.map(({ id, roots }) => [id, roots]))
  const books: TheirBook[] = []
  for await (const { records } of stagedRows(db.readSlowly, importId, 'book')) {
    const paths = records.flatMap(({ library, path }) => {
      const roots = rootsOf.get(mapped.get(library ?? '') ?? '') ?? []
      return path === null ? [] : roots.flatMap(({ id }) => spellings(path).map((each) => lookUpIn(id, each)))
    })
    const files = new Map<string, OurFile>()
    for (let from = 0; from < paths.length; from += 500)
      for (const file of await selectFilesAt(db.readSlowly, paths.slice(from, from + 500)))
        files.set(`${file.libraryId}/${(file.folder + file.name).normalize('NFC')}`, file)
    for (const book of records) {
      const { id, library, size, number, volume, title, seriesTitle, series, path, hashes } = book
      const libraryId = mapped.get(library ?? '') ?? ''
      books.push({
        book: { id, library, size, number, volume, title, seriesTitle, series },
        hashes,
        atPath: path === null ? undefined : files.get(`${libraryId}/${path.normalize('NFC')}`),
        isFlowing: path === null ? undefined : /\.(?:epub|mobi|azw3?|fb2)$/i.test(path),
        match: undefined,
        candidates: [],
        byHash: false,
      })
    }
  }
  return books
}

/** A file system may have taken letters apart that a store has as one, or the other way round. */
const spellings = (path: string): string[] => [...new Set([path, path.normalize('NFC'), path.normalize('NFD')])]

const byStoredHash = async ({ db }: BookMatching, books: readonly TheirBook[]): Promise<void> => {
  const byValue = new Map<string, TheirBook[]>()
  for (const each of books)
    for (const { kind, value } of each.hashes)
      if (kind === 'koreader') byValue.set(value, [...(byValue.get(value) ?? []), each])
  const values = [...byValue.keys()]
  for (let from = 0; from < values.length; from += 500) {
    const rows = await selectByKoreaderHash(db.readSlowly, values.slice(from, from + 500))
    for (const [value, own] of Map.groupBy(rows, (row) => row.value))
      for (const each of byValue.get(value) ?? [])
        settle(
          each,
          own.map(({ bookId }) => bookId),
        )
  }
}

/** Several files of the same bytes: the one that lies where theirs lay is meant. */
const settle = (each: TheirBook, candidates: readonly string[]): void => {
  const books = [...new Set(candidates)]
  const [only] = books
  const atPath = each.atPath?.bookId
  if (atPath !== undefined && books.includes(atPath)) each.match = { ours: atPath, by: 'hash' }
  else if (only !== undefined && books.length === 1) each.match = { ours: only, by: 'hash' }
  else if (books.length > 1) {
    each.candidates = books
    each.byHash = true
  }
}

/** It bounds how much of our files is read: where nothing else finds a book, and where only a path confirms it. */
const budget = { neededBytes: 200 * 1024 ** 3, neededFiles: 500_000, confirmingBytes: 1024 ** 3, confirmingFiles: 5000 }
const filesAtOnce = 2000

/** Theirs that may be one of our files, as far as sizes say. It is worked out once: thousands may be of one size. */
interface Sought {
  readonly bySize: ReadonlyMap<number, OfSize>
  /** Some stores know no sizes. */
  readonly ofAnySize: readonly HashKind[]
  readonly byHash: ReadonlyMap<string, readonly TheirBook[]>
}

interface OfSize {
  readonly kinds: readonly HashKind[]
  /** Each of them is expected where it lies. */
  readonly areExpected: boolean
}

const soughtBy = (books: readonly TheirBook[], kinds: ReadonlySet<HashKind>): Sought => {
  const open = books.filter(({ match, hashes }) => !match && hashes.some(({ kind }) => kinds.has(kind)))
  const byHash = new Map<string, TheirBook[]>()
  for (const each of open)
    for (const { kind, value } of each.hashes) {
      const key = `${kind} ${value}`
      const sameHash = byHash.get(key)
      if (sameHash) sameHash.push(each)
      else byHash.set(key, [each])
    }
  const kindsOf = (some: readonly TheirBook[]): readonly HashKind[] => [
    ...new Set(some.flatMap(({ hashes }) => hashes.map(({ kind }) => kind)).filter((kind) => kinds.has(kind))),
  ]
  const sizes = Map.groupBy(
    open.filter(({ book }) => book.size !== null),
    ({ book }) => book.size ?? 0,
  )
  const ofSize = (some: readonly TheirBook[]): OfSize => ({
    kinds: kindsOf(some),
    areExpected: some.every(({ atPath, book }) => atPath !== undefined && atPath.size === book.size),
  })
  return {
    bySize: new Map([...sizes].map(([size, some]) => [size, ofSize(some)])),
    ofAnySize: kindsOf(open.filter(({ book }) => book.size === null)),
    byHash,
  }
}

const byHashOfFiles = async (
  matching: BookMatching,
  theirBooks: readonly TheirBook[],
  kinds: ReadonlySet<HashKind>,
): Promise<void> => {
  const sought = soughtBy(theirBooks, kinds)
  if (sought.byHash.size === 0) return
  const candidates = await candidatesOf(matching, sought)
  const idsByBook = new Map<TheirBook, string[]>()
  for (const [index, { file, path }] of candidates.entries()) {
    matching.signal.throwIfAborted()
    const wantedKinds = [...new Set([...sought.ofAnySize, ...(sought.bySize.get(file.size)?.kinds ?? [])])]
    const values = await matching.reader.hash({ id: file.id, path, kinds: wantedKinds })
    for (const each of values.flatMap(({ kind, value }) => sought.byHash.get(`${kind} ${value}`) ?? []))
      idsByBook.set(each, [...(idsByBook.get(each) ?? []), file.bookId])
    matching.onHashed(index + 1, candidates.length)
  }
  for (const [each, books] of idsByBook) settle(each, books)
}

/** Our files of the size of one of theirs: those without which a book would not be found come first. */
const candidatesOf = async (
  { db, ours }: BookMatching,
  { bySize, ofAnySize }: Sought,
): Promise<{ readonly file: OurFile; readonly path: string }[]> => {
  const pathOf = new Map(ours.flatMap(({ roots }) => roots.map(({ id, path }) => [id, path] as const)))
  const needed: OurFile[] = []
  const confirming: OurFile[] = []
  for (let afterId = ''; ;) {
    const files = await selectFilesAfter(db.readSlowly, afterId, filesAtOnce)
    for (const file of files) {
      const sameSize = bySize.get(file.size)
      if (!sameSize && ofAnySize.length === 0) continue
      ;(sameSize?.areExpected && ofAnySize.length === 0 ? confirming : needed).push(file)
    }
    afterId = files.at(-1)?.id ?? ''
    if (files.length < filesAtOnce) break
  }
  const chosen = [
    ...within(needed, budget.neededBytes, budget.neededFiles),
    ...within(confirming, budget.confirmingBytes, budget.confirmingFiles),
  ]
  return chosen.flatMap((file) => {
    const root = pathOf.get(file.rootId)
    return root === undefined ? [] : [{ file, path: `${root}/${file.folder}${file.name}` }]
  })
}

const within = (files: readonly OurFile[], bytesMax: number, filesMax: number): readonly OurFile[] => {
  let bytes = 0
  return files.slice(0, filesMax).filter(({ size }) => {
    bytes += size
    return bytes <= bytesMax
  })
}

const flowing: ReadonlySet<FileFormat> = new Set(['epub', 'mobi', 'azw3', 'fb2'])

const seriesAtOnce = 200
const booksMax = 50_000

const byName = async ({ db, mapped, otherTitles }: BookMatching, theirBooks: readonly TheirBook[]): Promise<void> => {
  const taken = new Set(theirBooks.flatMap(({ match }) => match?.ours ?? []))
  const left = theirBooks.filter(
    (each) => !each.match && each.candidates.length === 0 && each.book.seriesTitle !== null,
  )
  const keysOf = (each: TheirBook): string[] => [
    ...new Set([each.book.seriesTitle ?? '', ...(otherTitles.get(each.book.series ?? '') ?? [])].map(seriesNameKey)),
  ]
  const keys = [...new Set(left.flatMap(keysOf))]
  const booksOf = new Map<string, NumberedBook[]>()
  for (let from = 0; from < keys.length; from += seriesAtOnce) {
    const books = await selectBooksOfSeriesNamed(db.readSlowly, keys.slice(from, from + seriesAtOnce), booksMax)
    for (const [key, own] of Map.groupBy(books, (book) => book.key)) booksOf.set(key, own)
  }
  for (const each of left) {
    const { library } = each.book
    const ours = mapped.get(library ?? '')
    // One of their libraries that is none of ours has none of our books.
    if (library !== null && (ours === null || ours === undefined)) continue
    const named = keysOf(each).flatMap((key) => booksOf.get(key) ?? [])
    const candidates = named.filter(
      ({ libraryId, bookId }) => (library === null || libraryId === ours) && !taken.has(bookId),
    )
    const ofNumber = candidates.filter((book) => isMeant(each.book, book))
    const meant = [...new Set(ofKind(each, ofNumber).map(({ bookId }) => bookId))]
    const [only] = meant
    if (only !== undefined && meant.length === 1) {
      each.match = { ours: only, by: 'name' }
      taken.add(only)
    } else each.candidates = meant
  }
}

/** Comics and novels have the same names. What keeps no folders keeps comics, unless a file of theirs says otherwise. */
const ofKind = ({ book, isFlowing }: TheirBook, candidates: readonly NumberedBook[]): readonly NumberedBook[] => {
  if (isFlowing === undefined && book.library !== null) return candidates
  const same = candidates.filter(({ format }) => flowing.has(format) === (isFlowing ?? false))
  return same.length > 0 ? same : candidates
}

/** Where several are meant, it is the one in the series that most books of theirs are in. */
const byNeighbours = async ({ db }: BookMatching, books: readonly TheirBook[]): Promise<void> => {
  const open = books.filter((each) => !each.match && each.candidates.length > 0 && each.book.series !== null)
  const series = new Set(open.map(({ book }) => book.series))
  const neighbours = books.filter(({ match, book }) => match && series.has(book.series))
  const ids = [
    ...new Set([...open.flatMap((each) => each.candidates), ...neighbours.flatMap(({ match }) => match?.ours ?? [])]),
  ]
  const seriesOf = new Map<string, string>()
  for (let from = 0; from < ids.length; from += 500)
    for (const [id, { seriesId }] of await selectBookLocations(db.readSlowly, ids.slice(from, from + 500)))
      seriesOf.set(id, seriesId)
  const votes = Map.groupBy(neighbours, ({ book }) => book.series)
  const taken = new Set(books.flatMap(({ match }) => match?.ours ?? []))
  for (const each of open) {
    const ours = (votes.get(each.book.series) ?? []).flatMap(({ match }) => seriesOf.get(match?.ours ?? '') ?? [])
    const counts = Map.groupBy(ours, (id) => id)
    const rank = (id: string): number => counts.get(seriesOf.get(id) ?? '')?.length ?? 0
    const [best, next] = each.candidates
      .filter((id) => !taken.has(id))
      .toSorted((one, other) => rank(other) - rank(one))
    if (best === undefined || (next !== undefined && rank(next) === rank(best))) continue
    each.match = { ours: best, by: each.byHash ? 'hash' : 'name' }
    taken.add(best)
  }
}

/** Theirs has one number where ours may have a volume, a chapter or a number in the series. */
const isMeant = ({ number, volume, title }: TheirBook['book'], ours: NumberedBook): boolean => {
  if (number === null && volume === null) return title !== null && titleKey(title) === titleKey(ours.title)
  if (number === null) return numberIn(volume) !== null && [ours.volume, ours.number].includes(numberIn(volume))
  const value = numberIn(number)
  if (value === null) return ours.numberText?.toLowerCase() === number.toLowerCase()
  const own = ours.number ?? ours.chapter ?? ours.volume
  return own === value && (volume === null || ours.volume === null || ours.volume === numberIn(volume))
}

const numberIn = (text: string | null): number | null => {
  if (text === null || !/^\d+(?:\.\d+)?$/.test(text.trim())) return null
  return Number(text)
}

const resultOf = ({ mapped, ours }: BookMatching, books: readonly TheirBook[]): MatchedBooks => {
  const ourIds = new Set(ours.map(({ id }) => id))
  const reasons = new Map<string, 'no_book' | 'several_books' | 'no_library' | 'library_to_come'>()
  const counts = new Map<string, number>()
  for (const { book, match, candidates } of books) {
    if (match) counts.set(match.ours, (counts.get(match.ours) ?? 0) + 1)
    else reasons.set(book.id, reasonOf(book.library, { mapped, ourIds, isAmbiguous: candidates.length > 0 }))
  }
  return {
    matches: books.map(({ book, match }) => ({ theirs: book.id, ours: match?.ours ?? null, by: match?.by ?? null })),
    severalForOne: [...counts.values()].filter((count) => count > 1).length,
    reasons,
  }
}

const reasonOf = (
  library: string | null,
  {
    mapped,
    ourIds,
    isAmbiguous,
  }: { readonly mapped: BookMatching['mapped']; readonly ourIds: ReadonlySet<string>; readonly isAmbiguous: boolean },
) => {
  if (isAmbiguous) return 'several_books' as const
  if (library === null) return 'no_book' as const
  const ours = mapped.get(library)
  if (ours === null) return 'library_to_come' as const
  return ours !== undefined && ourIds.has(ours) ? ('no_book' as const) : ('no_library' as const)
}
