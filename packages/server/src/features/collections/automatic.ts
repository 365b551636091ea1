import type { SeriesCondition } from '@carrel/api'
import type { RawBuilder } from 'kysely'
import type { ReadDb } from '../../database/database.ts'
import { fieldsIn, holds, requireCondition } from '../../filtering/filtering.ts'
import { invalid } from '../../platform/errors.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import {
  type CollectionRow,
  countFulfilling,
  type CountedCollection,
  type Fulfilling,
  type Onlooker,
  selectConditions,
  selectFulfilled,
} from './queries.ts'

/** It checks the condition of an automatic collection, and returns it as it is stored. */
export const requireOwnCondition = (json: unknown): string => {
  const condition = requireCondition('series', json, '/condition')
  const fields = fieldsIn(condition)
  if (fields.size === 0)
    throw invalid('/condition', 'An automatic collection needs a condition with at least one field.')
  // A collection that depends on another one could go round in circles.
  if (fields.has('inCollection'))
    throw invalid('/condition', 'The condition of a collection must not ask for inCollection.')
  return JSON.stringify(condition)
}

export const conditionOf = (text: string, viewer: Viewer): RawBuilder<boolean> =>
  holds(JSON.parse(text) as SeriesCondition, { target: 'series', viewer })

/** It finds the automatic ones among these collections, with what their series fulfil for this viewer. */
export const collectionsBehind = async (
  db: ReadDb,
  viewer: Viewer,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RawBuilder<boolean>>> => {
  const rows = await selectConditions(db, ids)
  return new Map(rows.map(({ id, condition }) => [id, conditionOf(condition ?? '', viewer)]))
}

/** Values of all that is asked in one statement: both databases take more, but not without end. */
const valuesMax = 20_000

/** One statement asks for as many as it can hold; all of an ordinary shelf. */
const inStatements = (
  viewer: Viewer,
  collections: readonly Pick<CollectionRow, 'id' | 'condition'>[],
): readonly (readonly Fulfilling[])[] => {
  const { libraries, allowTags, denyTags } = viewer.rule
  const ofViewer =
    20 +
    2 * (libraries === 'all' ? viewer.deletedLibraries.length : libraries.length) +
    allowTags.length +
    denyTags.length
  const parts: Fulfilling[][] = []
  let left = 0
  for (const { id, condition } of collections) {
    if (condition === null) continue
    // Every value of a condition stands before a comma or a bracket.
    const cost = ofViewer + condition.split(/[,}\]]/).length
    if (cost > left) {
      parts.push([])
      left = valuesMax
    }
    left -= cost
    parts.at(-1)?.push({ id, holds: conditionOf(condition, viewer) })
  }
  return parts
}

/** Automatic collections that this onlooker sees a series in. */
export const fulfilledFor = async (db: ReadDb, { viewer, known }: Onlooker): Promise<readonly string[]> => {
  known.fulfilled ??= await fulfilledBy(db, viewer)
  return known.fulfilled
}

/** It returns the automatic collections that this series is in. */
export const fulfilledBySeries = (db: ReadDb, viewer: Viewer, seriesId: string): Promise<readonly string[]> =>
  fulfilledBy(db, viewer, seriesId)

const fulfilledBy = async (db: ReadDb, viewer: Viewer, seriesId?: string): Promise<readonly string[]> => {
  const found: string[] = []
  for (const part of inStatements(viewer, await selectConditions(db)))
    found.push(...(await selectFulfilled(db, viewer, part, seriesId)))
  return found
}

/**
 * It adds the number of series that an onlooker sees in the automatic collections among these; cached counts are not
 * counted again.
 */
export const countAutomaticOnes = async (
  db: ReadDb,
  { viewer, known: { counts } }: Onlooker,
  rows: readonly CountedCollection[],
): Promise<CountedCollection[]> => {
  const uncounted = rows.filter(({ condition }) => condition !== null && !counts.has(condition))
  const conditions = new Map(uncounted.map(({ id, condition }) => [id, condition ?? '']))
  for (const part of inStatements(viewer, uncounted))
    for (const [id, count] of await countFulfilling(db, viewer, part)) counts.set(conditions.get(id) ?? '', count)
  return rows.map((row) => ({ ...row, series_count: counts.get(row.condition ?? '') ?? row.series_count }))
}
