import type { Access, EffectiveAccess, UserDto, UserPatch } from '@carrel/api'
import type { CompatLimits } from '@carrel/api/doors'
import { combineRules } from '../../../features/access/access.ts'
import { invalid } from '../../../platform/errors.ts'
import { requireId } from '../spelling.ts'

/** It holds the present rules, and where they come from. */
export interface Standing {
  readonly user: Pick<UserDto, 'role' | 'withheldPermissions' | 'access'>
  /** The access groups of the user give this, without the user's own rules. */
  readonly groups: EffectiveAccess
}

const fromGroup = 'comes from an access group of this user: change it in the web app'

// Roles

const permissionOf = { FILE_DOWNLOAD: 'files:download', PAGE_STREAMING: 'pages:read' } as const
const elsewhere: Readonly<Record<string, string>> = {
  KOBO_SYNC: 'Kobo readers do not sync with Carrel',
  KOREADER_SYNC: 'KOReader syncs with an API key, which everybody can make',
}

/** An administrator is one by role; an editor, whom those applications do not know, stays one. */
export const rolesFrom = (roles: readonly string[], { user }: Pick<Standing, 'user'>): UserPatch => {
  for (const [index, role] of roles.entries()) {
    if (role === 'USER' || role === 'ADMIN' || role in permissionOf) continue
    throw invalid(`/roles/${index}`, `The role ${role} cannot be given: ${elsewhere[role] ?? 'there is none here'}.`)
  }
  const role = roles.includes('ADMIN') ? 'admin' : user.role === 'admin' ? 'reader' : user.role
  const withheld = new Set<string>(user.withheldPermissions)
  for (const [name, permission] of Object.entries(permissionOf)) {
    if (roles.includes(name)) withheld.delete(permission)
    else withheld.add(permission)
  }
  return { role, withheldPermissions: [...withheld] }
}

// This part maps rules on what may be seen.

/** It returns the user's own part of the rules. Rules of groups cannot be removed here, and are no part of it. */
export const accessFrom = (
  { sharedLibraries, ageRestriction }: CompatLimits,
  standing: Standing,
): Pick<Partial<Access>, 'libraries' | 'ageCeiling' | 'includeUnrated'> => ({
  ...(sharedLibraries !== undefined && { libraries: librariesFrom(sharedLibraries, standing) }),
  ...(ageRestriction !== undefined && ceilingFrom(ageRestriction, standing)),
})

const librariesFrom = (
  shared: NonNullable<CompatLimits['sharedLibraries']> | null,
  { user, groups }: Standing,
): Access['libraries'] => {
  const requested = shared === null || shared.all ? 'all' : idsOf(shared.libraryIds ?? [])
  const given = groups.libraries
  if (given === 'all') return requested
  const missing = given.find((id) => requested === 'all' || !requested.includes(id))
  if (requested === 'all' || missing !== undefined)
    throw invalid('/sharedLibraries', `Which libraries are shared ${fromGroup}.`)
  const own = user.access.libraries
  if (own === 'all' && requested.length === given.length) return 'all'
  return requested.filter((id) => !given.includes(id) || own.includes(id))
}

const idsOf = (ids: readonly string[]): string[] => [...new Set(ids.map((id) => requireId(id, 'library')))]

/** The same for labels, by the ids of the sharing tags they are. */
export const tagsFrom = (
  field: 'labelsAllow' | 'labelsExclude',
  requestedIds: readonly string[],
  standing: Standing,
): string[] => {
  const { access } = standing.user
  const mode = field === 'labelsAllow' ? 'allow' : 'deny'
  const own = mode === 'allow' ? access.allowTags : access.denyTags
  const given = standing.groups.grants.filter(
    ({ accessMode, sources }) => accessMode === mode && sources.some(({ kind }) => kind === 'group'),
  )
  const lost = given.find(({ sharingTagId }) => !requestedIds.includes(sharingTagId))
  if (lost) throw invalid(`/${field}`, `The label "${lost.sharingTagName}" ${fromGroup}.`)
  return requestedIds.filter((id) => own.includes(id) || !given.some(({ sharingTagId }) => sharingTagId === id))
}

type Ceiling = Pick<Access, 'ageCeiling' | 'includeUnrated'>

const ceilingFrom = (restriction: NonNullable<CompatLimits['ageRestriction']> | null, standing: Standing): Ceiling => {
  const { groups, user } = standing
  const requested = readCeiling(restriction)
  const own = [user.access, requested].find((each) => isSame(together(each, groups), requested))
  if (own) return { ageCeiling: own.ageCeiling, includeUnrated: own.includeUnrated }
  throw invalid('/ageRestriction', `A stricter limit of age ${fromGroup}.`)
}

const together = (...rules: readonly Ceiling[]): Ceiling =>
  combineRules(rules.map(({ ageCeiling, includeUnrated }) => ({ libraries: 'all', ageCeiling, includeUnrated })))

const isSame = (one: Ceiling, other: Ceiling): boolean =>
  one.ageCeiling === other.ageCeiling && (one.ageCeiling === null || one.includeUnrated === other.includeUnrated)

const ageMax = 100

const readCeiling = (restriction: NonNullable<CompatLimits['ageRestriction']> | null): Ceiling => {
  if (restriction === null || restriction.restriction === 'NONE') return { ageCeiling: null, includeUnrated: false }
  const { age } = restriction
  const isCeiling = restriction.restriction === 'ALLOW_ONLY'
  if (isCeiling && age > ageMax) throw invalid('/ageRestriction/age', `The age must be at most ${ageMax}.`)
  if (!isCeiling && age < 1) throw invalid('/ageRestriction/age', 'What is to be excluded needs an age of at least 1.')
  return isCeiling ? { ageCeiling: age, includeUnrated: false } : { ageCeiling: age - 1, includeUnrated: true }
}
