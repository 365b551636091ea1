import { type RawBuilder, sql } from 'kysely'
import { always, type Truth } from './tests.ts'

/** It holds as much of a viewer as a condition depends on. Nothing that they may not see makes it true or false. */
export interface FilterViewer {
  readonly userId: string
  readonly hidesReading?: boolean
  /** Others see neither the paths of files nor the sharing tags of series: to conditions both are unknown. */
  readonly seesPaths: boolean
  readonly rule: { readonly ageCeiling: number | null; readonly includeUnrated: boolean }
}

/**
 * It names the user whose reading, ratings and lists this viewer sees: their own, or nobody's. No user has an empty id.
 */
export const readerOf = ({ userId, hidesReading }: Pick<FilterViewer, 'userId' | 'hidesReading'>): string =>
  hidesReading ? '' : userId

/** Conditions on these go by what `readerOf` has done. */
export const fieldsOfReaders: ReadonlySet<string> = new Set(['readStatus', 'userRating', 'hasUserRating'])

/** Among the books of one series, only their ages decide what a viewer sees of them. */
export const visibleByAge = (
  { rule: { ageCeiling, includeUnrated } }: FilterViewer,
  content: 'book' | 'series' = 'book',
): Truth => {
  if (ageCeiling === null) return always
  const rating = sql.ref(`${content}.age_rating`)
  const fits = sql<boolean>`${rating} <= ${ageCeiling}`
  return includeUnrated ? sql`(${rating} is null or ${fits})` : sql`(${rating} is not null and ${fits})`
}

/** It is one row of each series that a viewer with this ceiling sees without some of its books: what they are shown of it. */
export const partsFor = (ceiling: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`series_in_part as part where part.from_rating <= ${ceiling} and part.below_rating > ${ceiling}`

type IsInPart = (ceiling: RawBuilder<unknown>) => RawBuilder<unknown>

const shownOf = <Shown>(
  { rule: { ageCeiling } }: Pick<FilterViewer, 'rule'>,
  { column, series }: { readonly column: string; readonly series: string },
  isInPart: IsInPart,
): RawBuilder<Shown> => {
  const whole = sql<Shown>`${sql.ref(`${series}.${column}`)}`
  if (ageCeiling === null) return whole
  // It may stand in a statement twice, as what is grouped and ordered by, which has to be the same to the letter.
  const ceiling = sql.lit(ageCeiling)
  return sql<Shown>`case when ${isInPart(ceiling)}
    then (select ${sql.ref(`part.${column}`)} from ${partsFor(ceiling)} and part.series_id = ${sql.ref(`${series}.id`)}) else ${whole} end`
}

/**
 * What is shown of a series, for statements about the table under its own name: to those who see it without some of its books it is
 * what the others say of it (`series_in_part`). Of the series itself nothing is read but its id and the column, which indexes have.
 */
export const shownOfSeries = <Shown = unknown>(viewer: Pick<FilterViewer, 'rule'>, column: string): RawBuilder<Shown> =>
  shownOf(
    viewer,
    { column, series: 'series' },
    (ceiling) => sql`series.id in (select part.series_id from ${partsFor(ceiling)})`,
  )

/** The same for statements that have looked a series up by its id, and read all of its row. */
export const shownOfOneSeries = <Shown = unknown>(
  viewer: Pick<FilterViewer, 'rule'>,
  column: string,
  series = 'series',
): RawBuilder<Shown> =>
  shownOf(viewer, { column, series }, (ceiling) => sql`${sql.ref(`${series}.strictest_rating`)} > ${ceiling}`)

/**
 * The terms of a series that come from books which this viewer sees, for statements about `series_term` or another name of it: of the
 * row itself nothing is read but its key.
 */
export const seesTermOfSeries = ({ rule: { ageCeiling } }: Pick<FilterViewer, 'rule'>, link = 'series_term'): Truth => {
  if (ageCeiling === null) return always
  const [seriesId, termId, role] = ['series_id', 'term_id', 'role'].map((column) => sql.ref(`${link}.${column}`))
  const ceiling = sql.lit(ageCeiling)
  return sql`(${seriesId} not in (select part.series_id from ${partsFor(ceiling)})
    or not exists (select 1 from series_term as hidden where hidden.series_id = ${seriesId} and hidden.term_id = ${termId}
      and hidden.role = ${role} and hidden.from_rating > ${ceiling}))`
}
