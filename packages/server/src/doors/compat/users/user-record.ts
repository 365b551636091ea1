import type { UserDto } from '@carrel/api'
import type { CompatUser } from '@carrel/api/doors'
import type { ReadDb } from '../../../database/database.ts'
import { flag } from '../../../database/flag.ts'
import { type OwnRules, readViewRules, selectTagNames } from '../../../features/access/access.ts'
import { type ViewRule } from '../../../catalogue/visibility/visibility.ts'
import { permissionsOfUser, readUser } from '../../../features/users/users.ts'
import type { Caller } from '../../../http/caller.ts'
import type { Spelling } from '../spelling.ts'

type Outward = Pick<Spelling, 'outId'>

const rolesOf = (permissions: ReadonlySet<string>, isAdmin: boolean): string[] => [
  'USER',
  ...(permissions.has('files:download') ? ['FILE_DOWNLOAD'] : []),
  ...(permissions.has('pages:read') ? ['PAGE_STREAMING'] : []),
  ...(isAdmin ? ['ADMIN'] : []),
]

/**
 * Users are shown with the rules of their access groups, in a fixed number of statements however many users there are.
 */
export const compatUsersOf = async (
  db: ReadDb,
  users: readonly UserDto[],
  { outId }: Outward,
): Promise<(user: UserDto) => CompatUser> => {
  const ruleOf = await readViewRules(db, users.map(ownRules))
  const names = await selectTagNames(db)
  return (user) => ({
    id: outId(user.id),
    email: user.email ?? user.username,
    roles: rolesOf(new Set(permissionsOfUser(user)), user.role === 'admin'),
    ...limitsOf(ruleOf(ownRules(user)), names, outId),
  })
}

export const toCompatUser = async (db: ReadDb, user: UserDto, outward: Outward): Promise<CompatUser> =>
  (await compatUsersOf(db, [user], outward))(user)

const ownRules = ({ id, access }: UserDto): OwnRules => ({
  id,
  all_libraries: flag(access.libraries === 'all'),
  age_ceiling: access.ageCeiling,
  include_unrated: flag(access.includeUnrated),
})

const limitsOf = (
  { libraries, ageCeiling, includeUnrated, allowTags, denyTags }: ViewRule,
  names: ReadonlyMap<string, string>,
  outId: Spelling['outId'],
) => {
  const labelled = (tags: readonly string[]) => [...names].filter(([id]) => tags.includes(id)).map(([, name]) => name)
  return {
    sharedAllLibraries: libraries === 'all',
    sharedLibrariesIds: libraries === 'all' ? [] : libraries.map(outId),
    labelsAllow: labelled(allowTags),
    labelsExclude: labelled(denyTags),
    ageRestriction: ageCeiling === null ? null : restrictionOf(ageCeiling, includeUnrated),
  }
}

/** Unrated works are left out by the one and let in by the other. */
const restrictionOf = (ceiling: number, includeUnrated: boolean): NonNullable<CompatUser['ageRestriction']> =>
  includeUnrated ? { age: ceiling + 1, restriction: 'EXCLUDE' } : { age: ceiling, restriction: 'ALLOW_ONLY' }

/** It reads the caller. Applications compare the address with what was typed: it is answered as it came. */
export const readMe = async (
  db: ReadDb,
  { userId, permissions }: Caller,
  { typed, ...outward }: Outward & { readonly typed: string | undefined },
): Promise<CompatUser> => {
  const user = await readUser(db, userId)
  const email = typed ?? user.email ?? user.username
  const roles = rolesOf(permissions, permissions.has('system:admin'))
  return { ...(await toCompatUser(db, user, outward)), email, roles }
}
