import type { WriteDb } from '../../../database/database.ts'
import { newId } from '../../../platform/ids.ts'
import { bookNamesOf, type NamingRules } from './names.ts'
import { type FileOfBook, newBook } from './place-books.ts'
import { insertBooks, selectLibrariesOfFiles, selectStandings, setStandings } from './queries.ts'

/** A further file of a book. */
export interface PartFile extends Omit<FileOfBook, 'bookId'> {
  readonly intoId: string
}

/** Books that nobody sees, since each is a further file of another one. It answers their ids in the order they were given in. */
export const insertHiddenParts = async (
  db: WriteDb,
  rules: NamingRules,
  files: readonly PartFile[],
  now: Date,
): Promise<readonly string[]> => {
  const wholes = new Map(
    (await selectStandings(db, [...new Set(files.map(({ intoId }) => intoId))])).map((row) => [row.id, row]),
  )
  const rows = files.map(({ intoId, size, format, ...path }) => ({
    ...newBook(rules.id, now.toISOString()),
    state: 'hidden' as const,
    id: newId(now.getTime()),
    series_id: wholes.get(intoId)?.series_id ?? '',
    age_rating: wholes.get(intoId)?.age_rating ?? null,
    ...bookNamesOf(rules, path, {}),
    size,
    format,
  }))
  await insertBooks(db, rows)
  return rows.map(({ id }) => id)
}

interface Part {
  readonly partId: string
  readonly wholeId: string
}

/**
 * Parts stand in the series of their books, so that one that becomes a book of its own has the restrictions of that place (W9);
 * and in the library that their file lies in.
 */
export const bringToWholes = async (db: WriteDb, parts: readonly Part[]): Promise<void> => {
  if (parts.length === 0) return
  const standings = await selectStandings(db, [...new Set(parts.map(({ wholeId }) => wholeId))])
  const standingOf = new Map(standings.map((row) => [row.id, row]))
  const libraryOf = await selectLibrariesOfFiles(
    db,
    parts.map(({ partId }) => partId),
  )
  await setStandings(
    db,
    parts.flatMap(({ partId, wholeId }) => {
      const standing = standingOf.get(wholeId)
      return standing ? [{ ...standing, id: partId, library_id: libraryOf.get(partId) ?? standing.library_id }] : []
    }),
  )
}
