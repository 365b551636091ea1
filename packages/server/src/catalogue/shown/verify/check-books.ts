import type { ReadDb } from '../../../database/database.ts'
import { readLayers, selectOtherIds } from '../../metadata/metadata.ts'
import { compareDocuments } from '../../search-index/search-index.ts'
import { selectOtherTerms } from '../../terms/terms.ts'
import { describedColumns } from '../books/columns.ts'
import { bookToDescribe } from '../books/describe.ts'
import type { StoredLayer } from '../books/layers.ts'
import { selectOtherClaims } from '../series/claims/check.ts'
import { selectFilesOfBooks, selectNamingRules, selectRowsOfBooks, selectUnsettled } from '../books/queries.ts'
import { differingColumns, type Drift, type Projection } from './drift.ts'

const ratings = new Set(['said_age_rating', 'own_age_rating'])
/** When it was last another; and its series, which is for a grouping to say. */
const left = new Set(['updated_at', 'series_id'])
/** Its place among the others was found when it was last described, and they have gone on since. */
const leftOfOrdered = new Set([...left, 'position_key'])

/** Compares what is kept of books with what it follows from. Nothing is changed. */
export const checkBooks = async (db: ReadDb, ids: readonly string[], now: Date): Promise<Drift> => {
  if (ids.length === 0) return new Map()
  const files = await selectFilesOfBooks(db, ids)
  const rulesOf = await selectNamingRules(db, [...new Set(files.map(({ library_id }) => library_id))])
  const layers = await readLayers<StoredLayer>(db, ids)
  const workedOut = files.flatMap((file) => {
    const rules = rulesOf.get(file.library_id)
    if (!rules) return []
    const book = bookToDescribe(rules, file, layers.get(file.book_id) ?? [])
    return { book, columns: describedColumns(rules, book, { seriesId: file.series_id, analysis: undefined, now }) }
  })
  const byPath = new Map(workedOut.map(({ book }) => [book.file.book_id, book.series.claims]))
  const sources = new Map(ids.map((id) => [id, { layers: layers.get(id) ?? [], byPath: byPath.get(id) }]))
  const storedById = new Map((await selectRowsOfBooks(db, ids)).map((row) => [row.id, row]))
  const wrong = workedOut.flatMap(({ book, columns }) => {
    const isOrdered = book.fields.numberSort !== undefined
    return differingColumns(storedById.get(columns.id) ?? {}, columns, isOrdered ? leftOfOrdered : left).map(
      (column) => ({
        id: columns.id,
        isRating: ratings.has(column),
      }),
    )
  })
  const shown = workedOut.map(({ columns: { id, metadata } }) => ({ id, metadata }))
  const fields = workedOut.map(({ columns: { id }, book: { fields } }) => ({ id, fields }))
  const unsettled = (await selectUnsettled(db, ids)).map(({ id }) => id)
  const rated = wrong.filter(({ isRating }) => isRating).map(({ id }) => id)
  return new Map<Projection, ReadonlySet<string>>([
    ['columns', new Set(wrong.filter(({ isRating }) => !isRating).map(({ id }) => id))],
    ['ratings', new Set([...unsettled, ...rated])],
    ['claims', new Set(await selectOtherClaims(db, ids, sources))],
    ['terms', new Set(await selectOtherTerms(db, 'book', fields))],
    ['ids', new Set(await selectOtherIds(db, shown))],
    ['search', new Set((await compareDocuments(db, 'book', ids)).stale.map(({ id }) => id))],
  ])
}
