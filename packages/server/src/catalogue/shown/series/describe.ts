import type { ReadDb, WriteDb } from '../../../database/database.ts'
import { dialectOf } from '../../../database/transaction.ts'
import type { SeriesFields } from '../../../formats/book-format.ts'
import { seriesNameKeys } from '../../../platform/text/name-keys.ts'
import {
  forgetDerivedLayers,
  type Layer,
  readLayers,
  recordShown,
  saveLayers,
  type SeriesShown,
} from '../../metadata/metadata.ts'
import { indexDocuments } from '../../search-index/search-index.ts'
import { deriveSeries } from './claims/derive-series.ts'
import { type ClaimsTouched, settleClaims, type Tallies } from './claims/tally.ts'
import { shownColumns } from './columns.ts'
import { forgetNames, saveDescribed, selectForRefresh, upsertNames } from './queries.ts'

type SeriesRow = Awaited<ReturnType<typeof selectForRefresh>>[number]

export interface DescribedSeries {
  readonly row: SeriesRow
  readonly columns: ReturnType<typeof shownColumns>
}

interface WorkedOutSeries extends DescribedSeries {
  /** What its books say of it. */
  readonly derived: readonly Layer<SeriesShown>[]
  /** They said something else of it before. */
  readonly isDerivedAnew: boolean
  readonly layers: readonly Layer<SeriesShown>[]
}

interface DescribeOptions {
  /** Whoever edits keeps the history of it. */
  readonly isEdit: boolean
  /** What is kept beside the columns may not be what it should be, whether they change or not. */
  readonly isInDoubt: boolean
  /** Whose books may say something else of them than before. */
  readonly claims: Omit<ClaimsTouched, 'allSeriesIds'>
}

/**
 * Works out anew what is shown of series: how many books there are, which is the first, what follows for their rating, and
 * what they are said to be by all their books and by what lies beside them (C20).
 */
export const describeSeries = async (
  db: WriteDb,
  seriesIds: readonly string[],
  { isEdit, isInDoubt, claims }: DescribeOptions,
  now: Date,
): Promise<readonly DescribedSeries[]> => {
  if (seriesIds.length === 0) return []
  // Nobody edits them meanwhile: what is then shown of them is worked out from all that is said.
  const rows = await selectForRefresh(db, seriesIds, dialectOf(db).lockedRows('series'))
  const tallies = await settleClaims(db, { ...claims, allSeriesIds: seriesIds }, now)
  const described = await workOutSeries(db, rows, tallies, now)
  await saveDerived(db, described, now)
  await saveDescribed(
    db,
    described.map(({ columns }) => columns),
  )
  await renameSeries(db, described, isInDoubt)
  await recordShown(
    db,
    'series',
    described.map(({ row, columns, layers }) => ({
      id: row.id,
      before: row.metadata,
      after: columns.metadata,
      source: isEdit || isInDoubt || row.metadata === '{}' ? undefined : heardOf(layers),
      isInDoubt,
    })),
    now,
  )
  await indexDocuments(
    db,
    'series',
    described.map(({ row }) => row.id),
  )
  return described
}

/** What is to be shown of series, without a change to anything. */
export const workOutSeries = async (
  db: ReadDb,
  rows: readonly SeriesRow[],
  tallies: Tallies,
  now: Date,
): Promise<readonly WorkedOutSeries[]> => {
  const layersOf = await readLayers<SeriesShown>(
    db,
    rows.map(({ id }) => id),
  )
  const derivedOf = await deriveSeries(db, rows, tallies)
  return rows.map((row) => {
    const derived = derivedOf.get(row.id) ?? []
    const before = layersOf.get(row.id) ?? []
    const layers = [...before.filter(({ source }) => !isDerived(source)), ...derived]
    const isDerivedAnew = !areAlike(
      before.filter(({ source }) => isDerived(source)),
      derived,
    )
    return { row, derived, isDerivedAnew, layers, columns: shownColumns(row, layers, now) }
  })
}

/** Each source has one layer. */
const areAlike = (some: readonly Layer<SeriesShown>[], others: readonly Layer<SeriesShown>[]): boolean => {
  const fieldsOf = new Map(some.map(({ source, fields }) => [source, fields]))
  return (
    some.length === others.length &&
    others.every(({ source, fields }) => JSON.stringify(fieldsOf.get(source)) === JSON.stringify(fields))
  )
}

export const isDerived = (source: string): boolean => source === 'path' || source.startsWith('file:')

/** What its books say of a series is kept as layers of the series. Most often another book of it says what the others have said. */
const saveDerived = async (db: WriteDb, all: readonly WorkedOutSeries[], now: Date): Promise<void> => {
  const described = all.filter(({ isDerivedAnew }) => isDerivedAnew)
  await forgetDerivedLayers(
    db,
    described.map(({ row }) => row.id),
  )
  await saveLayers(
    db,
    described.flatMap(({ row, derived }) => derived.map((layer) => ({ entityId: row.id, ...layer }))),
    now,
  )
}

export const isRatedOtherwise = ({ row, columns }: DescribedSeries): boolean =>
  row.age_rating !== columns.age_rating || row.said_age_rating !== columns.said_age_rating

/** Whose words a scan may have brought: the one that goes first among the sources that are read. */
const heardOf = (layers: readonly Layer<unknown>[]): string =>
  layers
    .map(({ source }) => source)
    .filter((source) => source.startsWith('sidecar:') || source.startsWith('file:'))
    .sort()
    .at(-1) ?? 'path'

/** Series that go by other names than before are looked up by those. */
const renameSeries = async (db: WriteDb, described: readonly DescribedSeries[], isInDoubt: boolean): Promise<void> => {
  const renamed = described
    .filter(({ row, columns }) => isInDoubt || row.title !== columns.title || row.metadata !== columns.metadata)
    .map((each) => ({ id: each.row.id, before: nameKeysOf(each.row), keys: nameKeysFor(each) }))
    .filter(({ before, keys }) => isInDoubt || before.join(' ') !== keys.join(' '))
  await forgetNames(
    db,
    renamed.map(({ id }) => id),
  )
  await upsertNames(db, renamed)
}

/** By what a series is to be looked up. */
export const nameKeysFor = ({ row, columns }: DescribedSeries): string[] => nameKeysOf({ name: row.name, ...columns })

const nameKeysOf = ({ name, title, metadata }: Pick<SeriesRow, 'name' | 'title' | 'metadata'>): string[] => {
  const { alternateTitles = [] } = JSON.parse(metadata) as Pick<SeriesFields, 'alternateTitles'>
  return seriesNameKeys([name, title, ...alternateTitles.map((each) => each.title)])
}
