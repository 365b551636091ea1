import type { ForeignRecord, UserRecord } from '../../records.ts'
import type { StoreRow, StoreDatabase } from '../sqlite.ts'
import { idText, textOf, wholeOf } from '../values.ts'
import { seesEverything } from '../one-person.ts'
import { namedUser, type OpenStore, type People } from './open-store.ts'
import { selectPositions, selectUsers } from './queries.ts'

/** The bits of a role. */
const admin = 1
const download = 2
const edit = 8
const anonymous = 32

const roleOf = (row: StoreRow): number => wholeOf(row['role'], 0, 0xffff_ffff) ?? 0
const has = (row: StoreRow, bit: number): boolean => (roleOf(row) & bit) !== 0

const tagsIn = (value: unknown): readonly string[] =>
  (textOf(value) ?? '')
    .split(',', 200)
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')

/** Calibre-web's people have numbers. */
const nameless = 'owner'
const usersMax = 100_000

/** What calibre keeps itself is that of one person: calibre-web's first administrator, who has set the library up. */
export const peopleIn = (web: StoreDatabase | undefined): People => {
  const byName = new Map<string, string>()
  const labels = new Set<string>()
  let owner: string | undefined
  for (const row of web === undefined ? [] : selectUsers(web)) {
    const name = textOf(row['name'])
    if (name === null || has(row, anonymous) || byName.size >= usersMax) continue
    byName.set(name.toLowerCase(), idText(row['id']))
    if (has(row, admin)) owner ??= idText(row['id'])
    for (const tag of [...tagsIn(row['deniedTags']), ...tagsIn(row['allowedTags'])]) labels.add(tag.toLowerCase())
  }
  return { owner: owner ?? nameless, byName, labels }
}

const anybody = {
  email: null,
  isActive: true,
  mayDownload: true,
  ...seesEverything,
} as const

export function* usersIn(store: OpenStore): Generator<ForeignRecord> {
  const { people, web } = store
  if (people.owner === nameless) yield { type: 'user', id: nameless, name: null, role: 'reader', ...anybody }
  if (web !== undefined) yield* usersOfWeb(store, web)
  // The content server names whoever has read; its own list of users is not in the library.
  const named = new Set<string>()
  for (const row of selectPositions(store.db)) {
    const name = textOf(row['user'])
    if (name === null || named.has(name) || named.size >= usersMax || userNamed(people, name) !== namedUser(name))
      continue
    named.add(name)
    yield { type: 'user', id: namedUser(name), name, role: 'reader', ...anybody }
  }
}

/** Whoever uses the application itself has no name there. */
const ownerNames: ReadonlySet<string> = new Set(['local', 'viewer', '_', '*'])

export const userNamed = ({ owner, byName }: People, name: string): string =>
  byName.get(name.toLowerCase()) ?? (ownerNames.has(name.toLowerCase()) ? owner : namedUser(name))

function* usersOfWeb({ passed }: OpenStore, web: StoreDatabase): Generator<UserRecord> {
  for (const row of selectUsers(web)) {
    const name = textOf(row['name'])
    if (name === null) passed.add('users without a name', 'invalid', idText(row['id']))
    else if (has(row, anonymous)) passed.add('guests', 'no_such_thing', name)
    else {
      if (textOf(row['columnValues']) !== null) passed.add('restrictions by a custom column', 'no_such_thing', name)
      yield {
        type: 'user',
        id: idText(row['id']),
        name,
        ...anybody,
        email: textOf(row['email']),
        role: has(row, admin) ? 'admin' : has(row, edit) ? 'editor' : 'reader',
        mayDownload: has(row, download),
        allowLabels: tagsIn(row['allowedTags']),
        denyLabels: tagsIn(row['deniedTags']),
      }
    }
  }
}
