import type { ReadDb } from '../../../../database/database.ts'
import { cleanLanguage, cleanName } from '../../../../formats/metadata/clean-text.ts'
import type { PathClaims } from '../../../../naming/grouping/grouping-policy.ts'
import type { Layer, SeriesShown } from '../../../metadata/metadata.ts'
import { groupingHints, type StoredLayer } from '../../books/layers.ts'
import { groupFile } from '../../books/names.ts'
import { selectFilesOfBooks, selectNamingRules } from '../../books/queries.ts'

/** What the paths of these books say of their series, by how their libraries group them. Others say nothing. */
export const readClaimsOfPaths = async (
  db: ReadDb,
  bookIds: readonly string[],
  layers: ReadonlyMap<string, readonly Layer<StoredLayer>[]>,
): Promise<ReadonlyMap<string, SeriesShown>> => {
  const files = await selectFilesOfBooks(db, bookIds)
  const rulesOf = await selectNamingRules(db, [...new Set(files.map(({ library_id }) => library_id))])
  return new Map(
    files.flatMap(({ book_id, library_id, root_id: rootId, folder, name }) => {
      const rules = rulesOf.get(library_id)
      const claims =
        rules && groupFile(rules, { rootId, folder, name }, groupingHints(layers.get(book_id) ?? [])).claims
      return claims ? [[book_id, seriesFieldsOf(claims)] as const] : []
    }),
  )
}

/** A folder may be called anything, and a pattern may take any part of it for a language. */
export const seriesFieldsOf = ({ publisher, imprint, author, year, language }: PathClaims): SeriesShown => {
  const name = cleanName(author)
  const fields = {
    publisher: cleanName(publisher),
    imprint: cleanName(imprint),
    language: cleanLanguage(language),
    year,
    authors: name === undefined ? undefined : [{ name, role: 'author', sortName: null }],
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
