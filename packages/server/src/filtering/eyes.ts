import { sql } from 'kysely'
import { always, type Truth } from './tests.ts'

/** As much of a viewer as a condition depends on. Nothing that they may not see makes it true or false. */
export interface Eyes {
  readonly userId: string
  /** To others the paths of files and the sharing tags of series are as if nothing were known of them. */
  readonly seesPaths: boolean
  readonly rule: { readonly ageCeiling: number | null; readonly includeUnrated: boolean }
}

/** Of the books of one series only their ages tell apart what a viewer sees of them. */
export const visibleByAge = ({ rule: { ageCeiling, includeUnrated } }: Eyes): Truth => {
  if (ageCeiling === null) return always
  const fits = sql<boolean>`book.age_rating <= ${ageCeiling}`
  return includeUnrated ? sql`(book.age_rating is null or ${fits})` : sql`(book.age_rating is not null and ${fits})`
}
