import { importBytesMax, importEntriesMax, type MatchReport, type WantedBook } from '@carrel/api'
import type { Context } from '../../../context.ts'
import type { ReadDb } from '../../../database/database.ts'
import { BookFault } from '../../../formats/book-format.ts'
import type { ListedEntry, ListFile } from '../../../formats/read-list.ts'
import { AppError, invalid } from '../../../platform/errors.ts'
import { newId } from '../../../platform/ids.ts'
import { seriesNameKey } from '../../../platform/name-keys.ts'
import { cleanName } from '../../../platform/names.ts'
import { announceReadList } from '../news.ts'
import { deleteReadList, type EntryRow, insertEntries, nameIsTaken, type Onlooker } from '../queries.ts'
import { keepReadList } from '../read-lists.ts'
import { findBooks } from './find-books.ts'
import type { Candidate, Match } from './match.ts'
import type { FoundBook } from './queries.ts'

export interface Import {
  readonly bytes: Uint8Array
  /** Instead of the one in the file. */
  readonly name?: string | undefined
  readonly dryRun?: boolean | undefined
}

type Tools = Pick<Context, 'db' | 'decoders'>

/** Each is one statement, and one list of books to choose from. */
const entriesAtOnce = 200
const candidatesShown = 5

export const importReadList = async (
  { db, decoders }: Tools,
  onlooker: Onlooker,
  { bytes, name: wanted, dryRun = false }: Import,
  now: Date,
): Promise<MatchReport> => {
  const file = await readFile(decoders, bytes)
  const spelled = wanted ?? file.name
  if (spelled === null) throw invalid('name', 'The file has no name for the list: give it one.')
  const name = cleanName(spelled, 'name')
  const matches = await findAll(db.readSlowly, onlooker, file.entries)
  const readListId = dryRun ? null : await keepList(db, name, rowsOf(file.entries, matches, now), now)
  return { readListId, name, ...reportOf(file.entries, matches) }
}

/** What a list that is not made yet would be, and whether it could have its name. */
export interface ListMatches {
  readonly name: string
  readonly nameIsTaken: boolean
  readonly entries: readonly { readonly entry: ListedEntry; readonly books: readonly FoundBook[] }[]
}

/** The same for whoever makes the list later, of the books they choose themselves. */
export const matchReadList = async (
  { db, decoders }: Tools,
  onlooker: Onlooker,
  bytes: Uint8Array,
): Promise<ListMatches> => {
  const file = await readFile(decoders, bytes)
  if (file.name === null) throw invalid('name', 'The file has no name for the list.')
  const name = cleanName(file.name, 'name')
  const matches = await findAll(db.readSlowly, onlooker, file.entries)
  return {
    name,
    nameIsTaken: await nameIsTaken(db.readSlowly, name, ''),
    entries: file.entries.map((entry, index) => ({ entry, books: booksIn(matches[index]) })),
  }
}

const booksIn = (match: Match<FoundBook> | undefined): readonly FoundBook[] => {
  if (match === undefined || match.kind === 'none') return []
  return match.kind === 'one' ? [match.book] : match.books.slice(0, candidatesShown)
}

const findAll = async (
  db: ReadDb,
  { viewer }: Onlooker,
  entries: readonly ListedEntry[],
): Promise<readonly Match<FoundBook>[]> => {
  const matches: Match<FoundBook>[] = []
  for (const part of partsOf(entries, entriesAtOnce)) matches.push(...(await findBooks(db, viewer, part)))
  return matches
}

const readFile = async (decoders: Tools['decoders'], bytes: Uint8Array): Promise<ListFile> => {
  try {
    const limits = { bytes: importBytesMax, entries: importEntriesMax }
    return await decoders.run('readList', { bytes, limits }, { urgent: true })
  } catch (error) {
    if (error instanceof BookFault) throw new AppError('damaged_file', `${error.message}.`, { cause: error })
    throw error
  }
}

const partsOf = <Item>(items: readonly Item[], size: number): (readonly Item[])[] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))

/** Each book once, at the first of its places; who is not found keeps theirs. */
const rowsOf = (
  entries: readonly ListedEntry[],
  matches: readonly Match[],
  now: Date,
): Omit<EntryRow, 'read_list_id'>[] => {
  const placed = new Set<string>()
  return entries.flatMap((entry, index) => {
    const match = matches[index]
    const bookId = match?.kind === 'one' ? match.book.bookId : null
    if (bookId !== null && placed.has(bookId)) return []
    if (bookId !== null) placed.add(bookId)
    return [
      {
        id: newId(now.getTime()),
        book_id: bookId,
        position: index + 1,
        added_at: now.toISOString(),
        wanted_series: entry.series,
        wanted_series_key: seriesNameKey(entry.series),
        wanted_number: entry.number,
        wanted_volume: entry.volume,
        wanted_year: entry.year,
      },
    ]
  })
}

/** Written so many at a time that others get their turn in between. */
const rowsAtOnce = 1000

const keepList = async (
  db: Tools['db'],
  name: string,
  rows: readonly Omit<EntryRow, 'read_list_id'>[],
  now: Date,
): Promise<string> => {
  const readListId = await db.write((db) => keepReadList(db, { name }, now))
  try {
    for (const part of partsOf(rows, rowsAtOnce))
      await db.write((db) =>
        insertEntries(
          db,
          part.map((row) => ({ ...row, read_list_id: readListId })),
        ),
      )
    await db.write((db) => announceReadList(db, { type: 'read_list_created', readListId }, now))
    return readListId
  } catch (error) {
    await db.write((db) => deleteReadList(db, readListId))
    throw error
  }
}

const reportOf = (entries: readonly ListedEntry[], matches: readonly Match[]) => {
  const wanted = entries.map((entry, index): { entry: WantedBook; match: Match | undefined } => ({
    entry: { position: index + 1, ...entry },
    match: matches[index],
  }))
  return {
    matched: matches.filter(({ kind }) => kind === 'one').length,
    unmatched: wanted.filter(({ match }) => match?.kind === 'none').map(({ entry }) => entry),
    ambiguous: wanted.flatMap(({ entry, match }) =>
      match?.kind === 'several'
        ? [{ ...entry, candidates: match.books.slice(0, candidatesShown).map(toCandidate) }]
        : [],
    ),
  }
}

const toCandidate = ({ bookId, seriesId, seriesName, year }: Candidate) => ({ bookId, seriesId, seriesName, year })
