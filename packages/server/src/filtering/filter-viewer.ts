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

/**
 * What is shown of a series, for statements about the table under its own name: to those who see it without some of its books it is
 * what the others say of it (`series_in_part`).
 */
export const shownOfSeries = <Shown = unknown>(
  { rule: { ageCeiling } }: Pick<FilterViewer, 'rule'>,
  column: string,
): RawBuilder<Shown> => {
  const whole = sql<Shown>`${sql.ref(`series.${column}`)}`
  if (ageCeiling === null) return whole
  // It may stand in a statement twice, as what is grouped and ordered by, which has to be the same to the letter.
  const ceiling = sql.lit(ageCeiling)
  return sql<Shown>`case when series.strictest_rating > ${ceiling} then (select ${sql.ref(`part.${column}`)}
    from series_in_part as part where part.series_id = series.id and part.from_rating <= ${ceiling}
    order by part.from_rating desc limit 1) else ${whole} end`
}

/** The terms of a series that come from books which this viewer sees, for statements about `series_term` or another name of it. */
export const seesTermOfSeries = ({ rule: { ageCeiling } }: Pick<FilterViewer, 'rule'>, link = 'series_term'): Truth => {
  if (ageCeiling === null) return always
  const from = sql.ref(`${link}.from_rating`)
  return sql`(${from} is null or ${from} <= ${ageCeiling})`
}
