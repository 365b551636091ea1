import type { WriteDb } from '../../../database/database.ts'
import { newId } from '../../../platform/ids.ts'
import { bookNamesOf, type NamingRules } from './names.ts'
import { type FileOfBook, newBook } from './place.ts'
import { insertBooks, selectStandings, setPlaceOfPart } from './queries.ts'

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

/** Before a part is a book of its own: from where the whole is now it moves, with the restrictions of that place (W9). */
export const bringToWhole = async (db: WriteDb, partId: string, wholeId: string): Promise<void> => {
  const [whole] = await selectStandings(db, [wholeId])
  if (whole) await setPlaceOfPart(db, partId, whole)
}
