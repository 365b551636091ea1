import type { OidcFailure } from '@carrel/api'
import type { OidcProvider } from '../../config.ts'
import type { WriteDb } from '../../database/database.ts'
import { raiseRevision } from '../../database/revisions.ts'
import { randomLabel } from '../../platform/secrets/tokens.ts'
import { syncOidcMemberships } from '../access/access.ts'
import { addUser, assignRole, requireUser, selectUserByName, type UserRow } from '../users/users.ts'
import { isSameEmail, legalUsername, type Person, roleFrom, withSuffix } from './claims.ts'
import { hasIdentity, type Identity, insertIdentity, selectUserIdOf } from './queries.ts'

export type UserLookup =
  | { readonly user: UserRow; readonly isNew: boolean; readonly keptAdmin: boolean }
  | { readonly failure: OidcFailure }

/**
 * It finds the user who belongs to a person at a provider, with the role that the groups there give. The call belongs
 * in the transaction that signs in.
 */
export const findUser = async (db: WriteDb, provider: OidcProvider, person: Person, now: Date): Promise<UserLookup> => {
  const role = roleFrom(provider, person.groups)
  if (role === 'none') return { failure: 'oidc_not_in_group' }
  const identity = { provider: provider.name, issuer: person.issuer, subject: person.subject }
  const linkedId = await selectUserIdOf(db, identity)
  const { userId, isNew } =
    linkedId === undefined
      ? await introduce(db, { provider, person, identity }, now)
      : { userId: linkedId, isNew: false }
  if (userId === undefined) return { failure: 'oidc_no_account' }
  const user = await requireUser(db, userId)
  if (!user.is_active) return { failure: 'oidc_inactive' }
  await syncOidcMemberships(db, userId, person.groups, now.toISOString())
  if (role === undefined || role === user.role) return { user, isNew, keptAdmin: false }
  const assigned = await assignRole(db, userId, role, now)
  return { user: await requireUser(db, userId), isNew, keptAdmin: !assigned }
}

interface Stranger {
  readonly provider: OidcProvider
  readonly person: Person
  readonly identity: Identity
}

/**
 * It handles a person the provider has not sent before: they become the owner of an address here, or a new user, as far
 * as that is allowed.
 */
const introduce = async (
  db: WriteDb,
  stranger: Stranger,
  now: Date,
): Promise<{ userId: string | undefined; isNew: boolean }> => {
  // Users who sign in for the first time at the same moment are handled one after the other, and the second finds what
  // the first has made.
  await raiseRevision(db, 'access')
  const { provider, person, identity } = stranger
  const userId = (await selectUserIdOf(db, identity)) ?? (await ownerOfEmail(db, stranger))
  if (userId !== undefined) {
    const isLinked = (await selectUserIdOf(db, identity)) !== undefined
    if (!isLinked) await insertIdentity(db, identity, userId, now.toISOString())
    return { userId, isNew: false }
  }
  if (!provider.createUsers) return { userId: undefined, isNew: false }
  const username = await freeUsername(db, legalUsername(person.username ?? person.email))
  const { id } = await addUser(db, { username, email: await freeEmail(db, person.email) }, null, now)
  await insertIdentity(db, identity, id, now.toISOString())
  return { userId: id, isNew: true }
}

/**
 * The user with just this address, if it may be handed over: the provider has verified it, the account is in use, and
 * nobody else at this provider has it yet. An address that was given to somebody new would else bring the account along.
 */
const ownerOfEmail = async (db: WriteDb, { provider, person, identity }: Stranger): Promise<string | undefined> => {
  if (!provider.linkByEmail || person.email === undefined) return undefined
  const owner = await selectUserByName(db, person.email)
  if (!owner?.is_active || owner.email === null || !isSameEmail(owner.email, person.email)) return undefined
  return (await hasIdentity(db, owner.id, identity)) ? undefined : owner.id
}

const suffixesMax = 100

const freeUsername = async (db: WriteDb, preferred: string): Promise<string> => {
  if (!(await selectUserByName(db, preferred))) return preferred
  for (let number = 2; number <= suffixesMax; number += 1) {
    const candidate = withSuffix(preferred, `-${number}`)
    if (!(await selectUserByName(db, candidate))) return candidate
  }
  return withSuffix(preferred, `-${randomLabel(8)}`)
}

/** An address is never taken from whoever has it. */
const freeEmail = async (db: WriteDb, email: string | undefined): Promise<string | null> =>
  email === undefined || (await selectUserByName(db, email)) ? null : email
