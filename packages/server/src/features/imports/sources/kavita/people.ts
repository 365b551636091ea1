import type { ForeignRecord } from '../../records.ts'
import { textsOf } from '../json-lists.ts'
import { idText, textOf, truthOf, wholeOf } from '../values.ts'
import { ageCeilingOf } from './metadata.ts'
import type { OpenStore } from './open-store.ts'
import { countRows, selectUsers } from './queries.ts'

export function* usersIn({ db, passed }: OpenStore): Generator<ForeignRecord> {
  for (const row of selectUsers(db)) {
    const id = idText(row['id'])
    const name = textOf(row['name'])
    if (name === null) {
      passed.add('users without a name', 'invalid', id)
      continue
    }
    const roles = textsOf(row['roles'])
    const isAdmin = roles.includes('Admin')
    if (roles.includes('Read Only')) passed.add('users who may change nothing of their own', 'no_such_thing', name)
    const restriction = wholeOf(row['ageRestriction'], -1, 1000) ?? -1
    yield {
      type: 'user',
      id,
      name,
      email: textOf(row['email']),
      role: isAdmin ? 'admin' : 'reader',
      // Whoever lacks this role is locked out; an administrator has it without having it.
      isActive: isAdmin || roles.includes('Login'),
      mayDownload: isAdmin || roles.includes('Download'),
      libraries: isAdmin ? 'all' : textsOf(row['libraries']),
      ageCeiling: restriction < 0 ? null : ageCeilingOf(restriction),
      includeUnrated: restriction < 0 || truthOf(row['includeUnknowns']),
      allowLabels: [],
      denyLabels: [],
    }
  }
}

/** What theirs has and ours has not, or what nobody should carry from one server to another. */
export function* passedOverOf({ db }: OpenStore): Generator<ForeignRecord> {
  const counted = [
    ['passwords', 'secret', countRows(db, 'AspNetUsers', 'PasswordHash is not null')],
    ['keys for other applications', 'secret', countRows(db, 'AppUserAuthKey')],
    ['accesses to other servers', 'secret', countRows(db, 'AppUserExternalSource')],
    ['settings of users', 'no_such_thing', countRows(db, 'AppUserPreferences')],
    ['reading profiles', 'no_such_thing', countRows(db, 'AppUserReadingProfiles')],
    ['saved filters', 'unreadable', countRows(db, 'AppUserSmartFilter')],
    ['days of reading history, which its sessions say again', 'no_such_thing', countRows(db, 'AppUserReadingHistory')],
    ['devices for mail', 'no_such_thing', countRows(db, 'Device')],
    ['relations between series', 'no_such_thing', countRows(db, 'SeriesRelation')],
    ['locked covers of people', 'no_such_thing', countRows(db, 'Person', 'CoverImageLocked = 1')],
    ['locked covers of volumes', 'no_such_thing', countRows(db, 'Volume', 'CoverImageLocked = 1')],
    [
      'reviews and ratings of other services',
      'not_a_persons_word',
      countRows(db, 'ExternalReview') + countRows(db, 'ExternalRating'),
    ],
    ['reports to other services', 'no_such_thing', countRows(db, 'ScrobbleEvent')],
  ] as const
  for (const [what, reason, count] of counted) if (count > 0) yield { type: 'passedOver', what, reason, count }
}
