import type { ForeignRecord, UserRecord } from '../../records.ts'
import { isObject, objectOf, rowsOf, textsOf } from '../json-lists.ts'
import { textOf, truthOf } from '../values.ts'
import { uuidOf } from './ids.ts'
import type { OpenStore } from './open-store.ts'
import { countRows, selectPlugins, selectUsers } from './queries.ts'

const roles: Readonly<Record<string, UserRecord['role']>> = { admin: 'admin', maintainer: 'editor', reader: 'reader' }

export function* usersIn({ db, passed }: OpenStore): Generator<ForeignRecord> {
  for (const row of selectUsers(db)) {
    const [id, name] = [uuidOf(row['id']), textOf(row['name'])]
    if (id === null || name === null) {
      passed.add('users without an id or a name', 'invalid', name)
      continue
    }
    if (textsOf(row['permissions']).length > 0) passed.add('permissions beside those of a role', 'no_such_thing', name)
    const labels = new Map<string, string>()
    // What is said of a person alone comes after what is said of their groups, and counts more.
    for (const [label, mode] of [...rowsOf(row['grantsOfGroups']), ...rowsOf(row['grants'])]) {
      const text = textOf(label)
      if (text !== null) labels.set(text, textOf(mode) ?? '')
    }
    const labelsOf = (mode: string): readonly string[] =>
      [...labels].filter(([, each]) => each === mode).map(([label]) => label)
    yield {
      type: 'user',
      id,
      name,
      email: textOf(row['email']),
      role: roles[textOf(row['role']) ?? ''] ?? 'reader',
      isActive: truthOf(row['isActive']),
      mayDownload: true,
      libraries: 'all',
      ageCeiling: null,
      includeUnrated: true,
      allowLabels: labelsOf('allow'),
      denyLabels: labelsOf('deny'),
    }
  }
}

const secretName = /secret|token|password|passwd|credential|api[_-]?key|auth|cookie|private/i

export function* pluginsIn({ db, passed }: OpenStore): Generator<ForeignRecord> {
  for (const row of selectPlugins(db)) {
    const name = textOf(row['name'])
    if (name === null) continue
    const settings = withoutSecrets(objectOf(row['config']) ?? {}, () =>
      passed.add('secrets in settings of plugins', 'secret', name),
    )
    yield { type: 'pluginSettings', name, settings }
  }
}

const depthMax = 8

/** Whatever has such a name may be one. */
const withoutSecrets = (
  settings: Readonly<Record<string, unknown>>,
  onSecret: () => void,
  depth = 0,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(settings).flatMap(([key, value]) => {
      if (secretName.test(key)) {
        onSecret()
        return []
      }
      const isDeep = typeof value === 'object' && value !== null
      if (!isDeep) return [[key, value]]
      return isObject(value) && depth < depthMax ? [[key, withoutSecrets(value, onSecret, depth + 1)]] : []
    }),
  )

export function* passedOverOf({ db }: OpenStore): Generator<ForeignRecord> {
  const counted = [
    ['passwords', 'secret', countRows(db, 'users')],
    ['API keys', 'secret', countRows(db, 'api_keys')],
    ['sign-ins with other services', 'secret', countRows(db, 'oidc_connections')],
    ['accesses of users to other services', 'secret', countRows(db, 'user_plugins')],
    ['settings of users', 'no_such_thing', countRows(db, 'user_preferences')],
    ['settings of the server', 'no_such_thing', countRows(db, 'settings')],
    ['scheduled jobs of libraries', 'no_such_thing', countRows(db, 'library_jobs')],
    ['groups for access, as what they allow and deny to each member', 'no_such_thing', countRows(db, 'access_groups')],
    ['series of which releases are followed', 'no_such_thing', countRows(db, 'series_tracking', 'tracked = 1')],
    ['announced releases', 'not_a_persons_word', countRows(db, 'release_ledger')],
    ['ratings by other services', 'not_a_persons_word', countRows(db, 'series_external_ratings')],
    ['answers of metadata services', 'not_a_persons_word', countRows(db, 'metadata_sources')],
  ] as const
  for (const [what, reason, count] of counted) if (count > 0) yield { type: 'passedOver', what, reason, count }
}
