import type { UserDto, UserPatch } from '@carrel/api'
import type { CompatUser } from '@carrel/api/doors'
import type { ReadDb } from '../../../database/database.ts'
import { readUser } from '../../../features/users/users.ts'
import type { Caller } from '../../../http/caller.ts'
import { requireId, type Spelling } from '../spelling.ts'

/** Who asks. Applications compare the address with what was typed: it is answered as it came. */
export const readMe = async (
  db: ReadDb,
  { userId, permissions }: Caller,
  { typed, outId }: Pick<Spelling, 'outId'> & { readonly typed: string | undefined },
): Promise<CompatUser> => {
  const user = await readUser(db, userId)
  const roles = ['USER']
  if (permissions.has('files:download')) roles.push('FILE_DOWNLOAD')
  if (permissions.has('pages:read')) roles.push('PAGE_STREAMING')
  if (permissions.has('system:admin')) roles.push('ADMIN')
  return { ...toCompatUser(user, outId), email: typed ?? user.email ?? user.username, roles }
}

export const toCompatUser = ({ id, email, username, role, access }: UserDto, outId: Spelling['outId']): CompatUser => {
  const { libraries, ageCeiling, includeUnrated } = access
  return {
    id: outId(id),
    email: email ?? username,
    roles: ['USER', 'FILE_DOWNLOAD', 'PAGE_STREAMING', ...(role === 'admin' ? ['ADMIN'] : [])],
    sharedAllLibraries: libraries === 'all',
    sharedLibrariesIds: libraries === 'all' ? [] : libraries.map(outId),
    labelsAllow: [],
    labelsExclude: [],
    ageRestriction: ageCeiling === null ? null : restrictionOf(ageCeiling, includeUnrated),
  }
}

/** What has no rating is left out by the one and let in by the other. */
const restrictionOf = (ceiling: number, includeUnrated: boolean): NonNullable<CompatUser['ageRestriction']> =>
  includeUnrated ? { age: ceiling + 1, restriction: 'EXCLUDE' } : { age: ceiling, restriction: 'ALLOW_ONLY' }

interface CompatUserChange {
  readonly roles?: readonly string[]
  readonly sharedLibraries?: { readonly all: boolean; readonly libraryIds?: readonly string[] }
  readonly ageRestriction?: { readonly age: number; readonly restriction: 'ALLOW_ONLY' | 'EXCLUDE' | 'NONE' } | null
}

/** Those apps know administrators and others: an editor stays one. */
export const patchFrom = (
  { roles, sharedLibraries, ageRestriction }: CompatUserChange,
  current: UserDto,
): UserPatch => {
  const role = roles?.includes('ADMIN') ? 'admin' : current.role === 'admin' ? 'reader' : current.role
  const libraries =
    sharedLibraries?.all === true
      ? ('all' as const)
      : sharedLibraries?.libraryIds?.map((id) => requireId(id, 'library'))
  return {
    ...(roles && { role }),
    access: { ...(libraries && { libraries }), ...(ageRestriction !== undefined && ceilingFrom(ageRestriction)) },
  }
}

const ceilingFrom = (restriction: NonNullable<CompatUserChange['ageRestriction']> | null) => {
  if (restriction === null || restriction.restriction === 'NONE') return { ageCeiling: null }
  const { age } = restriction
  return restriction.restriction === 'ALLOW_ONLY'
    ? { ageCeiling: age, includeUnrated: false }
    : { ageCeiling: Math.max(0, age - 1), includeUnrated: true }
}
