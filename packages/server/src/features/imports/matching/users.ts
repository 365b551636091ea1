import type { ImportDto } from '@carrel/api'
import { nameKey } from '../../../platform/text/sort-key.ts'
import type { UserRecord } from '../records.ts'
import type { OurUser } from './queries.ts'

export type UserMatch = ImportDto['users'][number]

interface MatchingUsers {
  readonly ours: readonly OurUser[]
  /** Our users that an earlier import has made of theirs, by the id there. */
  readonly linked: ReadonlyMap<string, string>
  readonly byUserId: string
  readonly states: ReadonlyMap<string, number>
}

/** An address is one person's; a name is taken for it where nobody has another address. */
export const matchUsers = (
  theirs: readonly UserRecord[],
  { ours, linked, byUserId, states }: MatchingUsers,
): UserMatch[] => {
  const ids = new Set(ours.map(({ id }) => id))
  return theirs.map((user): UserMatch => {
    const { id, name, email, role } = user
    const shown = { theirs: id, name: name ?? email ?? '', email, role, states: states.get(id) ?? 0 }
    if (name === null && email === null) return { ...shown, ours: byUserId, by: 'you' }
    const linkedId = linked.get(id)
    if (linkedId !== undefined && ids.has(linkedId)) return { ...shown, ours: linkedId, by: 'import' }
    const sameEmail = email === null ? undefined : ours.find(({ emailKey }) => emailKey === nameKey(email))
    if (sameEmail) return { ...shown, ours: sameEmail.id, by: 'email' }
    const sameName = ours.find((each) => name !== null && each.nameKey === nameKey(name))
    const isOther = email !== null && sameName?.emailKey != null
    return sameName && !isOther ? { ...shown, ours: sameName.id, by: 'name' } : { ...shown, ours: null, by: 'none' }
  })
}
