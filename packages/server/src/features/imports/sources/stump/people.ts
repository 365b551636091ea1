import type { ForeignRecord } from '../../records.ts'
import { textsOf } from '../json-lists.ts'
import { textOf, truthOf, wholeOf } from '../values.ts'
import type { OpenStore } from './open-store.ts'
import { countRows, selectUsers } from './queries.ts'

const download = 'file:download'

export function* usersIn({ db, roots, passed }: OpenStore): Generator<ForeignRecord> {
  for (const row of selectUsers(db)) {
    const [id, name] = [textOf(row['id']), textOf(row['name'])]
    if (id === null || name === null) {
      passed.add('users without an id or a name', 'invalid', name)
      continue
    }
    const isAdmin = truthOf(row['isOwner'])
    const permissions = (textOf(row['permissions']) ?? '').split(',').map((each) => each.trim())
    if (permissions.some((each) => each !== '' && each !== download))
      passed.add('permissions beside that to download', 'no_such_thing', name)
    const hidden = new Set(textsOf(row['hidden']))
    const ageCeiling = wholeOf(row['age'], 0, 100)
    yield {
      type: 'user',
      id,
      name,
      email: null,
      role: isAdmin ? 'admin' : 'reader',
      isActive: !truthOf(row['isLocked']) && !truthOf(row['isDeleted']),
      mayDownload: isAdmin || permissions.includes(download),
      // Theirs says which libraries somebody does not see.
      libraries: hidden.size === 0 ? 'all' : [...roots.keys()].filter((each) => !hidden.has(each)),
      ageCeiling,
      includeUnrated: ageCeiling === null || !truthOf(row['restrictsUnset']),
      allowLabels: [],
      denyLabels: [],
    }
  }
}

export function* passedOverOf({ db }: OpenStore): Generator<ForeignRecord> {
  const counted = [
    ['passwords', 'secret', countRows(db, 'users')],
    ['API keys', 'secret', countRows(db, 'api_keys')],
    ['accesses to mail', 'secret', countRows(db, 'emailers')],
    ['notifications to other services', 'secret', countRows(db, 'notifiers')],
    ['settings of users', 'no_such_thing', countRows(db, 'user_preferences')],
    ['book clubs', 'no_such_thing', countRows(db, 'book_clubs')],
    ['lists that fill themselves', 'unreadable', countRows(db, 'smart_lists')],
    ['devices for mail', 'no_such_thing', countRows(db, 'registered_email_devices')],
    ['tags of libraries', 'no_such_thing', countRows(db, '_LibraryToTag')],
    ['collections of the time before Stump kept series', 'unreadable', countRows(db, 'collections')],
  ] as const
  for (const [what, reason, count] of counted) if (count > 0) yield { type: 'passedOver', what, reason, count }
  for (const what of ['want to read', 'times of reviews, bookmarks and annotations', 'chosen covers'])
    yield { type: 'passedOver', what, reason: 'not_in_store', count: null }
}
