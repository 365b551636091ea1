import { setTimeout as delay } from 'node:timers/promises'
import type { ReadDb } from '../../../database/database.ts'
import type { BookFields } from '../../../formats/book-format.ts'
import { unpackPages } from '../../../formats/page-index.ts'
import { analyseFiles, type FileToRead, type Reader, type ReadFile } from '../analysis/analyse-files.ts'
import { type Arrival, type Candidate, type Match, matchArrivals } from './identity.ts'
import type { ScannedLibrary } from '../library.ts'
import type { IdentifiedFile } from './identified-file.ts'
import {
  hasLostBooks,
  selectCandidateFiles,
  selectCandidateIds,
  selectForReplacement,
  selectMissingAtPaths,
  selectOrphans,
} from './queries.ts'
import type { Findings } from './findings.ts'
import type { SpooledFile } from '../walker/spool.ts'

interface IdentifyContext {
  readonly db: ReadDb
  readonly library: ScannedLibrary
  readonly findings: Findings
  readonly reader: Reader
}

export interface LostBook {
  readonly bookId: string
  readonly rootId: string
  readonly folder: string
}

export interface ScanOutcome {
  /** What is to be written down, a batch at a time. */
  identifiedFiles(batch: number): AsyncGenerator<readonly IdentifiedFile[]>
  /** Books whose files are gone and that were found nowhere else. Ask once all files are written down. */
  lost(): readonly LostBook[]
}

/** A file that was read to find out which book it is. */
interface ReadArrival extends SpooledFile {
  readonly arrival: Arrival
  readonly read: ReadFile
}

/** More arrivals than this are not kept in memory with all that was read: they are read again later. */
const keptWhole = 5000
const readAtOnce = 512
const unsettledPauseMs = 1000

/**
 * Which book each file is (C11), asked once the whole walk is over. When no book has lost its file, whatever is new is a
 * new book and nothing need be opened: it is listed at once and read later.
 */
export const identifyFiles = async (question: IdentifyContext): Promise<ScanOutcome> => {
  const { db, library, findings } = question
  const orphans = await selectOrphans(db, [...library.roots.map(({ id }) => id), ...library.removedRootIds])
  const mayBeKnown = findings.vanished.length + findings.changed.length + orphans.length > 0 || (await hasLostBooks(db))
  return mayBeKnown ? findOutByContent(question, orphans) : treatAllAsNew(findings)
}

const treatAllAsNew = ({ added }: Findings): ScanOutcome => ({
  identifiedFiles: async function* (batch) {
    for await (const files of added.batches(batch)) yield files.map(newBook)
  },
  lost: () => [],
})

const newBook = ({ rootId, walked }: SpooledFile): IdentifiedFile => ({
  rootId,
  walked,
  bookId: undefined,
  change: 'new',
  isNewContent: true,
})

const findOutByContent = async (question: IdentifyContext, orphans: readonly LostBook[]): Promise<ScanOutcome> => {
  const { findings } = question
  const arrivals = await readArrivals(question)
  const candidates = await findCandidates(question, arrivals)
  const matches = matchArrivals(
    arrivals.map(({ arrival }) => arrival),
    candidates,
  )
  const taken = new Set([...matches.values()].map(({ bookId }) => bookId))
  const identifiedFiles = await identifyEach(question, arrivals, matches, taken)
  const identifiedIds = new Set(identifiedFiles.flatMap(({ bookId }) => bookId ?? []))
  const gone = [...findings.vanished, ...findings.changed]
  return {
    identifiedFiles: async function* (batch) {
      for (let from = 0; from < identifiedFiles.length; from += batch) yield identifiedFiles.slice(from, from + batch)
    },
    lost: () => [
      ...gone
        .filter(({ stored: [bookId] }) => !identifiedIds.has(bookId))
        .map(({ rootId, stored: [bookId, folder] }) => ({ bookId, rootId, folder })),
      ...orphans.filter(({ bookId }) => !identifiedIds.has(bookId)),
    ],
  }
}

const readArrivals = async ({ library, findings, reader }: IdentifyContext): Promise<ReadArrival[]> => {
  const rootOf = new Map(library.roots.map(({ id, path }) => [id, path]))
  const arrivals: ReadArrival[] = []
  const readBatch = async (batch: readonly (SpooledFile & { replaces?: string })[]): Promise<void> => {
    const results = await readSettled(
      reader,
      batch.map(({ rootId, walked }) => fileToRead(rootOf.get(rootId) ?? '', walked)),
    )
    for (const [index, each] of batch.entries()) {
      const read = results[index] ?? { isUnsettled: true }
      const { fingerprints } = 'analysis' in read ? read.analysis : { fingerprints: undefined }
      const arrival = {
        path: each.walked[0] + each.walked[1],
        libraryId: library.id,
        content: fingerprints?.content ?? null,
        pages: fingerprints?.pages ?? null,
        replaces: each.replaces,
      }
      const { rootId, walked } = each
      arrivals.push({ rootId, walked, arrival, read: arrivals.length < keptWhole ? read : { isUnsettled: true } })
    }
  }
  const changed = findings.changed.map(({ rootId, stored: [bookId, ...walked] }) => ({
    rootId,
    walked,
    replaces: bookId,
  }))
  for (let from = 0; from < changed.length; from += readAtOnce) await readBatch(changed.slice(from, from + readAtOnce))
  for await (const batch of findings.added.batches(readAtOnce)) await readBatch(batch)
  return arrivals
}

/** What is still being written gets one more moment; after that it is listed and read later. */
const readSettled = async (reader: Reader, files: readonly FileToRead[]): Promise<readonly ReadFile[]> => {
  const first = await analyseFiles(reader, files)
  if (!first.some((each) => 'isUnsettled' in each)) return first
  await delay(unsettledPauseMs, undefined, { signal: reader.signal })
  const again = files.filter((_, index) => 'isUnsettled' in (first[index] ?? {}))
  const second = await analyseFiles(reader, again)
  const answers = new Map(again.map((file, index) => [file, second[index]]))
  return files.map((file, index) => answers.get(file) ?? first[index] ?? { isUnsettled: true })
}

export const fileToRead = (rootPath: string, walked: SpooledFile['walked']): FileToRead => ({
  rootPath,
  path: `${rootPath}/${walked[0]}${walked[1]}`,
  isFolder: walked[7] === 1,
  size: walked[2],
  modifiedUs: walked[3],
  changedUs: walked[4],
  seenAt: performance.now(),
})

const chunked = async <Item, Result>(
  items: readonly Item[],
  ask: (part: readonly Item[]) => Promise<readonly Result[]>,
): Promise<Result[]> => {
  const all: Result[] = []
  for (let from = 0; from < items.length; from += readAtOnce)
    all.push(...(await ask(items.slice(from, from + readAtOnce))))
  return all
}

/** Books with the content or the pages of an arrival that have no file, or whose file holds something else now. */
const findCandidates = async (
  { db, findings }: IdentifyContext,
  arrivals: readonly ReadArrival[],
): Promise<Candidate[]> => {
  const vanished = new Set(findings.vanished.map(({ stored }) => stored[0]))
  const changed = new Map(findings.changed.map(({ stored }) => [stored[0], stored]))
  const contentOf = new Map(
    arrivals.flatMap(({ arrival }) => (arrival.replaces ? [[arrival.replaces, arrival.content]] : [])),
  )
  const bookIdsBy = {
    contents: await readBooksBy(
      db,
      'content',
      arrivals.flatMap(({ arrival }) => arrival.content ?? []),
    ),
    pageSets: await readBooksBy(
      db,
      'pages',
      arrivals.flatMap(({ arrival }) => arrival.pages ?? []),
    ),
  }
  const ids = [...new Set([...bookIdsBy.contents.keys(), ...bookIdsBy.pageSets.keys()])]
  const files = await chunked(ids, (part) => selectCandidateFiles(db, part))
  return files.flatMap((file) => {
    // A book that is part of another is hidden for good, and has its file all the same.
    const isHidden = file.into_book_id === null ? file.state !== 'present' : file.deleted_at !== null
    const isGone = vanished.has(file.book_id) || isHidden || file.file_state !== 'present'
    const holdsOther = changed.has(file.book_id) && contentOf.get(file.book_id) !== file.content_hash
    if (!isGone && !holdsOther) return []
    return {
      bookId: file.book_id,
      libraryId: file.library_id,
      path: file.folder + file.name,
      isGone,
      isLost: isHidden,
      current: file.content_hash,
      contents: bookIdsBy.contents.get(file.book_id) ?? new Set<string>(),
      pageSets: bookIdsBy.pageSets.get(file.book_id) ?? new Set<string>(),
    }
  })
}

const readBooksBy = async (
  db: ReadDb,
  kind: 'content' | 'pages',
  hashes: readonly string[],
): Promise<ReadonlyMap<string, ReadonlySet<string>>> => {
  const rows = await chunked([...new Set(hashes)], (part) => selectCandidateIds(db, kind, part))
  const grouped = Map.groupBy(rows, ({ bookId }) => bookId)
  return new Map([...grouped].map(([bookId, each]) => [bookId, new Set(each.map(({ value }) => value))]))
}

const identifyEach = async (
  { db }: IdentifyContext,
  arrivals: readonly ReadArrival[],
  matches: ReadonlyMap<Arrival, Match>,
  taken: ReadonlySet<string>,
): Promise<IdentifiedFile[]> => {
  const unmatched = arrivals.filter(({ arrival }) => !matches.has(arrival))
  const before = new Map(
    (
      await chunked(
        unmatched.flatMap(({ arrival }) => arrival.replaces ?? []),
        (part) => selectForReplacement(db, part),
      )
    ).map((row) => [row.book_id, row]),
  )
  const missingAt = await missingBooksAt(
    db,
    unmatched.filter(({ arrival }) => !arrival.replaces),
  )
  const used = new Set(taken)
  const identifiedFileOf = ({ rootId, walked, arrival, read }: ReadArrival): IdentifiedFile => {
    const analysed = 'isUnsettled' in read ? undefined : read
    const match = matches.get(arrival)
    if (match) {
      const isNewContent = match.how === 're-zipped' || match.bookId !== arrival.replaces
      const change = match.isLost ? 'restored' : 'moved'
      return { rootId, walked, bookId: match.bookId, analysed, change, isNewContent }
    }
    const here = arrival.replaces ?? missingAt.get(`${rootId}/${arrival.path}`)
    const asNew = { rootId, walked, bookId: undefined, analysed, change: 'new', isNewContent: true } as const
    if (here === undefined || used.has(here)) return asNew
    used.add(here)
    const old = before.get(here)
    // One that could not be read meanwhile, and can again, is read anew.
    if (old?.fault_code === null && arrival.content !== null && old.content_hash === arrival.content)
      return { rootId, walked, bookId: here, change: 'same', isNewContent: false }
    if (old !== undefined && isAnotherBook(old, read)) return asNew
    return { ...asNew, bookId: here, change: arrival.replaces ? 'replaced' : 'restored' }
  }
  return arrivals.map((each) => ({ ...identifiedFileOf(each), mayBeTaken: each.arrival.replaces !== undefined }))
}

const missingBooksAt = async (db: ReadDb, arrivals: readonly SpooledFile[]): Promise<ReadonlyMap<string, string>> => {
  const bookIdOfFile = new Map<string, string>()
  for (const [rootId, ofRoot] of Map.groupBy(arrivals, (each) => each.rootId)) {
    const folders = [...new Set(ofRoot.map((each) => each.walked[0]))]
    const rows = await chunked(folders, (part) => selectMissingAtPaths(db, rootId, part))
    for (const { folder, name, book_id } of rows) bookIdOfFile.set(`${rootId}/${folder}${name}`, book_id)
  }
  return bookIdOfFile
}

/** Written over with something else altogether (C11, rung 4): another number, another title, and not one page the same. */
const isAnotherBook = (
  old: { readonly metadata: string; readonly pages: Uint8Array | null },
  read: ReadFile,
): boolean => {
  if (!('analysis' in read)) return false
  const before = JSON.parse(old.metadata) as BookFields
  const after: BookFields = Object.assign({}, ...read.analysis.layers.map(({ book }) => book)) as BookFields
  const differs = (one: unknown, other: unknown): boolean => one !== undefined && other !== undefined && one !== other
  if (!differs(before.number, after.number) || !differs(before.title, after.title)) return false
  const pagesBefore = new Set(checksumsOf(old.pages))
  return !checksumsOf(read.analysis.pageIndex).some((checksum) => pagesBefore.has(checksum))
}

const checksumsOf = (pages: Uint8Array | null): readonly number[] =>
  pages ? unpackPages(pages).flatMap(({ location }) => location?.crc32 ?? []) : []
