import type { Permission } from '@carrel/api'
import type { Database, ReadDb } from '../../database/database.ts'
import type { Audience, AudienceCondition } from '../../events/outbox.ts'
import type { StoredEvent } from '../../events/queries.ts'
import type { Profile } from '../../events/render.ts'
import type { FeedOptions } from '../../events/feed.ts'
import type { Caller } from '../../http/caller.ts'
import { BoundedMap } from '../../platform/memory/bounded-map.ts'
import { maySee, readViewRules } from '../access/access.ts'
import { type ViewRule } from '../../catalogue/visibility/visibility.ts'
import { findGoodKeys } from '../api-keys/api-keys.ts'
import { findLiveSessions } from '../sessions/sessions.ts'
import { effectivePermissions, selectUsersById } from '../users/users.ts'

const profilesMax = 1000

/** Ten thousand streams of people who may see the same hold what that is once. */
export const reviewWith = ({ read }: Pick<Database, 'read'>, clock: () => Date): FeedOptions<Caller>['review'] => {
  const shared = new BoundedMap<Profile>(profilesMax)
  return async (callers) => {
    const profiles = await reviewCallers({ read }, callers, clock())
    return new Map(
      [...profiles].map(([caller, profile]) => {
        const same = shared.get(profile.key) ?? profile
        shared.set(profile.key, same)
        return [caller, same]
      }),
    )
  }
}

/**
 * It works out what callers may see by now, in nine statements however many they are. Callers whose credentials are no
 * longer valid are left out.
 */
const reviewCallers = async (
  { read }: Pick<Database, 'read'>,
  callers: readonly Caller[],
  now: Date,
): Promise<ReadonlyMap<Caller, Profile>> => {
  const distinct = [...new Set(callers)]
  const stillGood = await credentialCheck(read, distinct, now)
  const users = await selectUsersById(read, [...new Set(distinct.map(({ userId }) => userId))])
  const activeUsers = new Map(users.filter(({ is_active }) => is_active).map((user) => [user.id, user]))
  const ruleOf = await readViewRules(read, [...activeUsers.values()])
  const profiles = new Map<Caller, Profile>()
  for (const caller of distinct) {
    const user = activeUsers.get(caller.userId)
    const limitedTo = user && stillGood(caller)
    if (!user || !limitedTo) continue
    const permissions = effectivePermissions(user).filter((each) => limitedTo === 'nothing' || limitedTo.includes(each))
    profiles.set(caller, profileOf(permissions, ruleOf(user)))
  }
  return profiles
}

type Limits = 'nothing' | readonly Permission[]

/** It returns what a caller's credential is limited to, and undefined for one that is no longer good. */
const credentialCheck = async (
  db: ReadDb,
  callers: readonly Caller[],
  now: Date,
): Promise<(caller: Caller) => Limits | undefined> => {
  const idsOf = (kind: 'session' | 'key') => [
    ...new Set(callers.flatMap(({ by }) => (by.kind === kind ? [by.id] : []))),
  ]
  const sessions = await findLiveSessions(db, idsOf('session'), now)
  const keys = await findGoodKeys(db, idsOf('key'), now)
  return ({ by }) => {
    if (by.kind === 'session') return sessions.has(by.id) ? 'nothing' : undefined
    if (by.kind === 'password') return undefined
    const key = keys.get(by.id)
    return key && (key.permissions ?? 'nothing')
  }
}

const profileOf = (permissions: readonly Permission[], rule: ViewRule): Profile => {
  const held = new Set<string>(permissions)
  return {
    key: JSON.stringify([[...permissions].sort(), rule]),
    sees: ({ permission, library_id, age_rating, sharing_tags, sights }: StoredEvent) => {
      if (permission !== null && !held.has(permission)) return false
      const content =
        sharing_tags === null
          ? undefined
          : { ageRating: age_rating, sharingTags: JSON.parse(sharing_tags) as readonly string[] }
      if (!maySee(rule, { libraryId: library_id, content })) return false
      const conditions = sights === null ? [] : (JSON.parse(sights) as readonly AudienceCondition[])
      return conditions.every(({ of, isSeen }) => of.some((each) => isInAudience(rule, each)) === isSeen)
    },
  }
}

const isInAudience = (rule: ViewRule, { libraryId, content, within, isWhole }: Audience): boolean => {
  const seesWith = (labels: Audience['content']) => maySee(rule, { libraryId: libraryId ?? null, content: labels })
  if (isWhole && (rule.ageCeiling !== null || rule.allowTags.length + rule.denyTags.length > 0)) return false
  return seesWith(content) && (within === undefined || seesWith(within))
}
