import type { Selectable } from 'kysely'
import type { ReadDb } from '../../database/database.ts'
import type { Schema } from '../../database/schema.ts'
import type { Viewer } from '../visibility/visibility.ts'
import { selectParts } from './queries.ts'

type Part = Selectable<Schema['series_in_part']>
type Shown = {
  readonly [Column in 'metadata' | 'title' | 'title_sort' | 'summary' | 'publisher' | 'writers' | 'year']?: Part[Column]
}

type SeriesRow = Shown & { readonly id: string; readonly strictest_rating: number | null }

/**
 * The rows of series as this viewer sees them: where some of their books are rated above what they see, with what the others say
 * (W9). It takes a statement where there are such series, and none otherwise.
 */
export const seenInPart = async <Row extends SeriesRow>(
  db: ReadDb,
  viewer: Viewer,
  rows: readonly Row[],
): Promise<readonly Row[]> => {
  const { ageCeiling } = viewer.rule
  if (ageCeiling === null) return rows
  const ids = rows.filter((row) => isInPart(row, ageCeiling)).map(({ id }) => id)
  if (ids.length === 0) return rows
  const partOf = new Map((await selectParts(db, ids, ageCeiling)).map((part) => [part.series_id, part]))
  return rows.map((row) => {
    const part = partOf.get(row.id)
    return part ? withPart(row, part) : row
  })
}

const isInPart = ({ strictest_rating }: SeriesRow, ceiling: number): boolean =>
  strictest_rating !== null && strictest_rating > ceiling

const withPart = <Row extends SeriesRow>(row: Row, part: Part): Row => {
  const { metadata, title, title_sort, summary, publisher, writers, year } = part
  const shown = { metadata, title, title_sort, summary, publisher, writers, year }
  const those = Object.entries(shown).filter(([column]) => Object.hasOwn(row, column))
  // So that it is not looked for again.
  return { ...row, ...Object.fromEntries(those), strictest_rating: null }
}

/** What its books say of one series to this viewer, as layers; undefined where they see all that is said. */
export const derivedInPart = async (db: ReadDb, viewer: Viewer, seriesId: string): Promise<string | undefined> => {
  const { ageCeiling } = viewer.rule
  if (ageCeiling === null) return undefined
  const [part] = await selectParts(db, [seriesId], ageCeiling)
  return part?.derived
}
