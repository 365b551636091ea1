import type { ReadDb } from '../../../../database/database.ts'
import type { PathClaims } from '../../../../naming/grouping/grouping-policy.ts'
import { type Layer, readLayers } from '../../../metadata/metadata.ts'
import { groupingHints, type StoredLayer } from '../../books/layers.ts'
import { groupFile } from '../../books/names.ts'
import { selectFilesOfBooks, selectNamingRules } from '../../books/queries.ts'

/** All that a book says of its series. */
export interface BookSources {
  readonly layers: readonly Layer<StoredLayer>[]
  /** What its path says, by how its library groups books. */
  readonly byPath: PathClaims | undefined
}

export const readSources = async (
  db: ReadDb,
  bookIds: readonly string[],
): Promise<ReadonlyMap<string, BookSources>> => {
  if (bookIds.length === 0) return new Map()
  const layersOf = await readLayers<StoredLayer>(db, bookIds)
  const byPath = await readPathClaims(db, bookIds, layersOf)
  return new Map(bookIds.map((id) => [id, { layers: layersOf.get(id) ?? [], byPath: byPath.get(id) }]))
}

const readPathClaims = async (
  db: ReadDb,
  bookIds: readonly string[],
  layersOf: ReadonlyMap<string, readonly Layer<StoredLayer>[]>,
): Promise<ReadonlyMap<string, PathClaims | undefined>> => {
  const files = await selectFilesOfBooks(db, bookIds)
  const rulesOf = await selectNamingRules(db, [...new Set(files.map(({ library_id }) => library_id))])
  return new Map(
    files.map(({ book_id, library_id, root_id: rootId, folder, name }) => {
      const rules = rulesOf.get(library_id)
      const hints = groupingHints(layersOf.get(book_id) ?? [])
      return [book_id, rules && groupFile(rules, { rootId, folder, name }, hints).claims]
    }),
  )
}
