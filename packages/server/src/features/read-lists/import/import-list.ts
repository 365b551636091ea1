import type { MatchReport, ImportedBook } from '@carrel/api'
import type { ListedEntry } from '../../../formats/read-list.ts'
import { invalid } from '../../../platform/errors.ts'
import { newId } from '../../../platform/ids.ts'
import { seriesNameKey } from '../../../platform/text/name-keys.ts'
import { cleanName } from '../../../platform/text/names.ts'
import { visibleBookIds } from '../../../catalogue/entries/entries.ts'
import { announceList, insertNewList, readAudiences } from '../../../catalogue/member-lists/member-lists.ts'
import type { Viewer } from '../../../catalogue/visibility/visibility.ts'
import { readLists } from '../kind.ts'
import type { Candidate, Match } from './match.ts'
import { type EntryRow, insertEntries } from './queries.ts'
import { candidatesShown, findAll, type ImportContext, readFile } from './read-entries.ts'

export interface Import {
  readonly bytes: Uint8Array
  /** The name replaces the one in the file. */
  readonly name?: string | undefined
  readonly dryRun?: boolean | undefined
}

export const importReadList = async (
  { db, decoders }: ImportContext,
  viewer: Viewer,
  { bytes, name: givenName, dryRun = false }: Import,
  now: Date,
): Promise<MatchReport> => {
  const file = await readFile(decoders, bytes)
  const spelled = givenName ?? file.name
  if (spelled === null) throw invalid('name', 'The file has no name for the list: give it one.')
  const name = cleanName(spelled, 'name')
  const matches = await findAll(db.readSlowly, viewer, file.entries)
  const readListId = dryRun ? null : await keepList({ db, viewer }, name, rowsOf(file.entries, matches, now), now)
  return { readListId, name, ...reportOf(file.entries, matches) }
}

/** Each book once, at the first of its places; who is not found keeps theirs. */
const rowsOf = (
  entries: readonly ListedEntry[],
  matches: readonly Match[],
  now: Date,
): Omit<EntryRow, 'read_list_id'>[] => {
  const taken = new Set<string>()
  return entries.flatMap((entry, index) => {
    const match = matches[index]
    const bookId = match?.kind === 'one' ? match.book.bookId : null
    if (bookId !== null && taken.has(bookId)) return []
    if (bookId !== null) taken.add(bookId)
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

/** Nobody sees half of a list, and none is left behind. Of a book that has gone since it was found the place is reserved. */
const keepList = (
  { db, viewer }: { readonly db: ImportContext['db']; readonly viewer: Viewer },
  name: string,
  rows: readonly Omit<EntryRow, 'read_list_id'>[],
  now: Date,
): Promise<string> =>
  db.write(async (db) => {
    const list = await insertNewList(db, readLists, { name }, now)
    const books = await visibleBookIds(
      db,
      viewer,
      rows.flatMap(({ book_id }) => book_id ?? []),
    )
    await insertEntries(
      db,
      rows.map((row) => ({
        ...row,
        read_list_id: list.id,
        book_id: row.book_id !== null && books.has(row.book_id) ? row.book_id : null,
      })),
    )
    const after = await readAudiences(db, readLists, list)
    await announceList(db, readLists, list.id, { before: undefined, after, now })
    return list.id
  })

const reportOf = (entries: readonly ListedEntry[], matches: readonly Match[]) => {
  const listed = entries.map((entry, index): { entry: ImportedBook; match: Match | undefined } => ({
    entry: { position: index + 1, ...entry },
    match: matches[index],
  }))
  return {
    matched: matches.filter(({ kind }) => kind === 'one').length,
    unmatched: listed.filter(({ match }) => match?.kind === 'none').map(({ entry }) => entry),
    ambiguous: listed.flatMap(({ entry, match }) =>
      match?.kind === 'several'
        ? [{ ...entry, candidates: match.books.slice(0, candidatesShown).map(toCandidate) }]
        : [],
    ),
  }
}

const toCandidate = ({ bookId, seriesId, seriesName, year }: Candidate) => ({ bookId, seriesId, seriesName, year })
