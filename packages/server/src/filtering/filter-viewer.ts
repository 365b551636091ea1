import { sql } from 'kysely'
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
