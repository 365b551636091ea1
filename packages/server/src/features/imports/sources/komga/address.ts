import {
  type AddressSource,
  type ForeignRecord,
  type Reader,
  recordLimits,
  SourceFault,
  type UserRecord,
} from '../../records.ts'
import { type Answer, askIfAllowed, askJson, objectIn, objectsIn } from '../asking.ts'
import { inBatchesOf } from '../batches.ts'
import { countPassedOver, textOf, truthOf, wholeOf } from '../values.ts'
import { type KomgaSession, idIn, pathIn } from './komga-session.ts'
import { askedBooks, askedSeries } from './catalogue-by-address.ts'
import { askedLists, coversOf, isCoverRef } from './lists-by-address.ts'
import { absent, nameOf } from './words.ts'

/** A Komga that runs, as it answers whoever has an API key. */
export const komgaAtAddress: NonNullable<Reader['atAddress']> = {
  read: (source) => inBatchesOf(recordsOf(source)),
  cover: async ({ get }, ref) => {
    if (!isCoverRef(ref)) return undefined
    const { status, body } = await get(`/api/v1/${ref}`)
    return status === 200 && body.byteLength <= recordLimits.coverBytes ? body : undefined
  },
}

async function* recordsOf(source: AddressSource): AsyncGenerator<ForeignRecord> {
  const me = objectIn(await askJson(source, '/api/v2/users/me'))
  const userId = idIn(me['id'])
  if (userId === null || !Array.isArray(me['roles']))
    throw new SourceFault('wrong_kind', 'What answers at this address is no Komga from 1.3 on: look at the address.')
  const build = objectIn(objectIn(await askIfAllowed(source, '/actuator/info'))['build'])
  yield { type: 'source', kind: 'komga', version: textOf(build['version'], 60), schema: null }
  const komga: KomgaSession = { source, passedOver: countPassedOver(), roots: new Map(), userId }
  yield* librariesOf(komga)
  yield* usersOf(komga, me)
  const [series, books]: [string[], string[]] = [[], []]
  for await (const record of askedSeries(komga)) {
    if (record.type === 'series') series.push(record.id)
    yield record
  }
  for await (const record of askedBooks(komga)) {
    if (record.type === 'book') books.push(record.id)
    yield record
  }
  yield* askedLists(komga)
  for (const id of series) yield* coversOf(komga, 'series', id)
  for (const id of books) yield* coversOf(komga, 'books', id)
  for (const what of absent) yield { type: 'passedOver', what, reason: 'not_in_store', count: null }
  yield* komga.passedOver.records()
}

async function* librariesOf({ source, roots, passedOver }: KomgaSession): AsyncGenerator<ForeignRecord> {
  for (const library of objectsIn(await askJson(source, '/api/v1/libraries'))) {
    const id = idIn(library['id'])
    if (id === null) continue
    const root = pathIn(library['root'])?.replace(/(?<=.)\/+$/, '') ?? null
    if (root === null)
      passedOver.add('folders of libraries, which only the key of an administrator is told', 'not_in_store')
    else roots.set(id, root)
    yield {
      type: 'library',
      id,
      name: textOf(library['name'], 200) ?? id,
      roots: root === null ? [] : [root],
      grouping: { policy: 'folder', config: {} },
      readingDirection: null,
    }
  }
}

/** Komga shows how far somebody is to nobody but them: who else there is, is known to administrators, and what they have read to no key but theirs. */
async function* usersOf({ source, userId }: KomgaSession, me: Answer): AsyncGenerator<ForeignRecord> {
  const listed = await askIfAllowed(source, '/api/v2/users')
  const others = objectsIn(listed).filter((user) => idIn(user['id']) !== userId)
  yield toUser(me, userId)
  for (const user of others) {
    const id = idIn(user['id'])
    if (id !== null) yield toUser(user, id)
  }
  yield {
    type: 'passedOver',
    what: 'what others than the owner of the key have read: only a copy of the database holds that',
    reason: 'not_in_store',
    count: null,
    examples: others.slice(0, 5).flatMap((user) => textOf(user['email'], 200) ?? []),
  }
  if (listed === undefined)
    yield { type: 'passedOver', what: 'other users, whom this key may not list', reason: 'not_in_store', count: null }
}

const toUser = (user: Answer, id: string): UserRecord => {
  const email = textOf(user['email'], 320) ?? id
  const roles = new Set(Array.isArray(user['roles']) ? user['roles'] : [])
  const limit = objectIn(user['ageRestriction'])
  const age = wholeOf(limit['age'], 0, 1000)
  const isExclusion = limit['restriction'] === 'EXCLUDE'
  return {
    type: 'user',
    id,
    name: nameOf(email),
    email: email.includes('@') ? email : null,
    role: roles.has('ADMIN') ? 'admin' : 'reader',
    isActive: true,
    mayDownload: roles.has('FILE_DOWNLOAD'),
    libraries: truthOf(user['sharedAllLibraries']) ? 'all' : idsIn(user['sharedLibrariesIds']),
    ageCeiling: age === null ? null : Math.min(isExclusion ? Math.max(age - 1, 0) : age, 100),
    includeUnrated: age !== null && isExclusion,
    allowLabels: labelsIn(user['labelsAllow']),
    denyLabels: labelsIn(user['labelsExclude']),
  }
}

const idsIn = (value: unknown): string[] => (Array.isArray(value) ? value.flatMap((each) => idIn(each) ?? []) : [])
const labelsIn = (value: unknown): string[] =>
  Array.isArray(value) ? value.flatMap((each) => textOf(each, 200) ?? []) : []
