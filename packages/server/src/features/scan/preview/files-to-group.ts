import type { ReadDb } from '../../../database/database.ts'
import { type Layer, type SeriesShown, shownFields } from '../../../catalogue/metadata/metadata.ts'
import { readOverrides } from '../../../catalogue/shown/shown.ts'
import type { NamedFile } from '../several-files/same-book.ts'
import type { FileToGroup, StandingSeries } from './grouper/messages.ts'
import { selectBooksNamed, selectMergedKeysAfter, selectSeriesAfter, selectSpokenLayers } from './queries.ts'
import type { Grouper } from './start-grouper.ts'

const rowsAtOnce = 1000

/** Which series the library has, by which keys, and what is said of their titles. */
export const tellStanding = async (db: ReadDb, libraryId: string, grouper: Grouper): Promise<void> => {
  for (let after: string | undefined = ''; after !== undefined;) {
    const rows = await selectSeriesAfter(db, libraryId, after, rowsAtOnce)
    const titleOf = await statedTitles(db, rows)
    const series = rows.map(({ id, key, name, book_count }): StandingSeries => [
      id,
      key,
      name,
      titleOf.get(id) ?? null,
      book_count,
    ])
    await grouper.tell({ kind: 'standing', series, merged: [] })
    after = rows.length < rowsAtOnce ? undefined : rows.at(-1)?.id
  }
  for (let after: string | undefined = ''; after !== undefined;) {
    const rows = await selectMergedKeysAfter(db, libraryId, after, rowsAtOnce)
    const merged = rows.map(({ key, into_series_id }) => [key, into_series_id] as const)
    if (merged.length > 0) await grouper.tell({ kind: 'standing', series: [], merged })
    after = rows.length < rowsAtOnce ? undefined : rows.at(-1)?.key
  }
}

/** Titles that do not follow from books, be it that somebody wants the name of the folder. */
const statedTitles = async (
  db: ReadDb,
  series: readonly { readonly id: string; readonly name: string }[],
): Promise<ReadonlyMap<string, string>> => {
  if (series.length === 0) return new Map()
  const rows = await selectSpokenLayers(
    db,
    series.map(({ id }) => id),
  )
  const layersOf = Map.groupBy(rows, ({ entity_id }) => entity_id)
  return new Map(
    series.flatMap(({ id, name }) => {
      const layers = (layersOf.get(id) ?? []).map(({ source, fields }): Layer<SeriesShown> => ({
        source,
        fields: JSON.parse(fields) as SeriesShown,
      }))
      const speaking = layers.filter(({ fields }) => fields.title !== undefined)
      return speaking.length === 0 ? [] : [[id, shownFields(speaking).title ?? name] as const]
    }),
  )
}

/** These files with what is known of their books. What has become part of another book is none. */
export const filesToGroup = async (
  db: ReadDb,
  { libraryId, rootId }: { readonly libraryId: string | undefined; readonly rootId: string },
  files: readonly NamedFile[],
  now: Date,
): Promise<readonly FileToGroup[]> => {
  if (libraryId === undefined)
    return files.map(({ folder, name, isFolder }) => [folder, name, null, null, null, false, isFolder])
  const rows = await selectBooksNamed(db, rootId, files)
  const bookAt = new Map(rows.map((row) => [row.folder + row.name, row]))
  const { seriesOf } = await readOverrides(
    db,
    libraryId,
    files.map(({ folder, name }) => {
      const book = bookAt.get(folder + name)
      // What is not known yet comes to where it lies.
      return book ? { bookId: book.id } : { bookId: folder + name, comesTo: folder }
    }),
    now,
  )
  return files.flatMap(({ folder, name, isFolder }): FileToGroup[] => {
    const book = bookAt.get(folder + name)
    const byHand = seriesOf.get(book?.id ?? folder + name) ?? null
    if (!book) return [[folder, name, null, byHand, null, false, isFolder]]
    if (book.state === 'hidden') return []
    return [[folder, name, book.series_id, byHand, book.claims, book.analysed === 1, isFolder]]
  })
}
