import type { ReadDb } from '../../database/database.ts'
import type { ContentLabels } from '../../events/outbox.ts'
import { selectAccessRecords, selectGrantsOfUsers, selectListing } from './queries.ts'

/** By what somebody who sees a library does not see all of it. */
export interface Restriction {
  readonly ageCeiling: number | null
  readonly includeUnrated: boolean
  /** Any makes it a white list. */
  readonly allowTags: readonly string[]
  readonly denyTags: readonly string[]
}

/**
 * All that restricts anybody in a library, each once, with the groups of users taken together as decision 005 has it: whether
 * something comes into sight depends on those who see part of it, and on nobody else.
 */
export const readRestrictions = async (db: ReadDb, libraryId: string): Promise<readonly Restriction[]> => {
  const recordsOf = Map.groupBy(await selectAccessRecords(db), ({ user_id }) => user_id)
  const grantsOf = Map.groupBy(await selectGrantsOfUsers(db), ({ user_id }) => user_id)
  const listing = await selectListing(db, libraryId)
  const restrictions = new Map<string, Restriction>()
  for (const [userId, records] of recordsOf) {
    const lists = records.filter(({ all_libraries }) => all_libraries === 0)
    if (lists.length > 0 && !lists.some(({ owner_id }) => listing.has(owner_id))) continue
    const restriction = together(records, grantsOf.get(userId) ?? [])
    if (isRestricting(restriction)) restrictions.set(JSON.stringify(restriction), restriction)
  }
  return [...restrictions.values()]
}

type AccessRecord = Awaited<ReturnType<typeof selectAccessRecords>>[number]
type Grant = Awaited<ReturnType<typeof selectGrantsOfUsers>>[number]

const together = (records: readonly AccessRecord[], grants: readonly Grant[]): Restriction => {
  const withCeiling = records.filter(({ age_ceiling }) => age_ceiling !== null)
  const tags = (mode: Grant['mode']) =>
    [...new Set(grants.filter((grant) => grant.mode === mode).map(({ tag_id }) => tag_id))].sort()
  return {
    ageCeiling: withCeiling.length === 0 ? null : Math.min(...withCeiling.map(({ age_ceiling }) => age_ceiling ?? 0)),
    includeUnrated: withCeiling.every(({ include_unrated }) => include_unrated === 1),
    allowTags: tags('allow'),
    denyTags: tags('deny'),
  }
}

const isRestricting = ({ ageCeiling, allowTags, denyTags }: Restriction): boolean =>
  ageCeiling !== null || allowTags.length + denyTags.length > 0

/** The same as `visibleTo` says of rows. */
export const isSeenUnder = (restriction: Restriction, { ageRating, sharingTags }: ContentLabels): boolean => {
  const { ageCeiling, includeUnrated, allowTags, denyTags } = restriction
  const fitsAge = ageCeiling === null || (ageRating === null ? includeUnrated : ageRating <= ageCeiling)
  const isAllowed = allowTags.length === 0 || sharingTags.some((tag) => allowTags.includes(tag))
  return fitsAge && isAllowed && !sharingTags.some((tag) => denyTags.includes(tag))
}

/**
 * What had no rating and has this one from now on would come into the sight of those who see nothing that is unrated. It
 * returns the lowest rating that keeps it from them; undefined: there is nobody to whom it would show.
 */
export const hiddenAbove = (restrictions: readonly Restriction[], ageRating: number): number | undefined => {
  const ceilings = restrictions.flatMap(({ ageCeiling, includeUnrated }) =>
    ageCeiling === null || includeUnrated || ageCeiling < ageRating ? [] : [ageCeiling],
  )
  return ceilings.length === 0 ? undefined : Math.max(...ceilings) + 1
}
