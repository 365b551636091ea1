import type { ReadDb } from '../../../database/database.ts'
import { selectOtherIds } from '../../metadata/metadata.ts'
import { compareDocuments } from '../../search-index/search-index.ts'
import { selectOtherTerms } from '../../terms/terms.ts'
import { nameKeysFor, workOutSeries } from '../series/describe.ts'
import { selectMiscountedSeries } from '../series/claims/check.ts'
import { readTallies } from '../series/claims/tally.ts'
import { selectForRefresh, selectNameKeys, selectRowsOfSeries } from '../series/queries.ts'
import { differingColumns, type Drift, type Projection } from './drift.ts'

const counts = new Set([
  'book_count',
  'max_volume',
  'max_chapter',
  'volumes_owned',
  'missing_count',
  'number_total',
  'first_book_id',
  'first_released',
])
const ratings = new Set(['age_rating', 'said_age_rating', 'own_age_rating'])
/** When it was last another. */
const left = new Set(['updated_at'])

const projectionOf = (column: string): Projection =>
  counts.has(column) ? 'counts' : ratings.has(column) ? 'ratings' : 'columns'

/** Compares what is kept of series with what it follows from. Nothing is changed. */
export const checkSeries = async (db: ReadDb, ids: readonly string[], now: Date): Promise<Drift> => {
  if (ids.length === 0) return new Map()
  const workedOut = await workOutSeries(db, await selectForRefresh(db, ids), await readTallies(db, ids), now)
  const storedById = new Map((await selectRowsOfSeries(db, ids)).map((row) => [row.id, row]))
  const wrong = workedOut.flatMap(({ row: { id }, columns }) =>
    differingColumns(storedById.get(id) ?? {}, columns, left).map((column) => ({
      id,
      projection: projectionOf(column),
    })),
  )
  const ratedOtherwise = workedOut.filter(
    ({ row, columns }) => row.strictest_rating !== strictestAbove(columns.age_rating, row.strictest_seen),
  )
  const names = Map.groupBy(await selectNameKeys(db, ids), ({ series_id }) => series_id)
  const otherNames = workedOut.filter((each) => {
    const keys = (names.get(each.row.id) ?? []).map(({ key }) => key)
    return keys.sort().join('\n') !== nameKeysFor(each).sort().join('\n')
  })
  const shown = workedOut.map(({ row: { id }, columns: { metadata } }) => ({ id, metadata }))
  const fields = shown.map(({ id, metadata }) => ({ id, fields: JSON.parse(metadata) as object }))
  const idsOf = (projection: Projection) => wrong.filter((each) => each.projection === projection).map(({ id }) => id)
  return new Map<Projection, ReadonlySet<string>>([
    ['columns', new Set(idsOf('columns'))],
    ['counts', new Set(idsOf('counts'))],
    ['ratings', new Set([...idsOf('ratings'), ...ratedOtherwise.map(({ row }) => row.id)])],
    ['claims', new Set(await selectMiscountedSeries(db, ids))],
    ['names', new Set(otherNames.map(({ row }) => row.id))],
    ['terms', new Set(await selectOtherTerms(db, 'series', fields))],
    ['ids', new Set(await selectOtherIds(db, shown))],
    ['search', new Set((await compareDocuments(db, 'series', ids)).stale.map(({ id }) => id))],
  ])
}

const strictestAbove = (own: number | null, highest: number | null): number | null =>
  own !== null && highest !== null && highest > own ? highest : null
