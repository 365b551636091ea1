import { gunzipSync } from 'node:zlib'
import type { ForeignRecord, Position, UserRecord } from '../../records.ts'
import { recordLimits } from '../../records.ts'
import { cut, type StoreRow } from '../sqlite.ts'
import { bytesOf, instantOf, jsonOf, numberOf, textOf, truthOf, wholeOf } from '../values.ts'
import type { KomgaStore } from './store.ts'
import { nameOf } from './words.ts'

const usersMax = 10_000
const grantsMax = 100_000

export const usersIn = function* (store: KomgaStore): Generator<ForeignRecord> {
  const { db, passedOver } = store
  const roles = rolesIn(store)
  const libraries = grouped(store, 'select USER_ID as owner, LIBRARY_ID as text from USER_LIBRARY_SHARING')
  const labels = (isAllowed: 0 | 1) =>
    grouped(store, `select USER_ID as owner, ${cut('LABEL', 200)} as text from USER_SHARING where ALLOW = ${isAllowed}`)
  const [denied, allowed] = [labels(0), labels(1)]
  const users = db.rows(
    `select ID as id, ${cut('EMAIL', 500)} as email, SHARED_ALL_LIBRARIES as seesAll, AGE_RESTRICTION as age,
      AGE_RESTRICTION_ALLOW_ONLY as isAgeAllowed from USER order by CREATED_DATE, ID`,
    { most: usersMax, onMore: () => passedOver.add('users', 'too_much') },
  )
  for (const row of users) {
    const id = textOf(row['id'])
    const email = textOf(row['email'], 320)
    if (id === null || email === null) {
      passedOver.add('users without a name', 'invalid')
      continue
    }
    const own = roles.get(id) ?? new Set<string>()
    if (!own.has('PAGE_STREAMING')) passedOver.add('users who might not look at pages', 'no_such_thing', email)
    yield {
      type: 'user',
      id,
      name: nameOf(email),
      email: email.includes('@') ? email : null,
      role: own.has('ADMIN') ? 'admin' : 'reader',
      isActive: true,
      mayDownload: own.has('FILE_DOWNLOAD'),
      libraries: truthOf(row['seesAll']) ? 'all' : (libraries.get(id) ?? []),
      ...ageOf(row),
      allowLabels: allowed.get(id) ?? [],
      denyLabels: denied.get(id) ?? [],
    }
  }
}

/** Either only what is rated at most that, or nothing that is rated that or more. */
const ageOf = (row: StoreRow): Pick<UserRecord, 'ageCeiling' | 'includeUnrated'> => {
  const age = wholeOf(row['age'], 0, 1000)
  if (age === null) return { ageCeiling: null, includeUnrated: false }
  return truthOf(row['isAgeAllowed'])
    ? { ageCeiling: Math.min(age, 100), includeUnrated: false }
    : { ageCeiling: Math.min(Math.max(age - 1, 0), 100), includeUnrated: true }
}

/** Until 2025 each role had a column. */
const rolesIn = ({ db }: KomgaStore): ReadonlyMap<string, ReadonlySet<string>> => {
  const roles = new Map<string, Set<string>>()
  const add = (id: unknown, role: unknown): void => {
    const key = textOf(id)
    if (key === null) return
    const own = roles.get(key) ?? new Set()
    own.add(String(role))
    roles.set(key, own)
  }
  if (db.has('USER_ROLE'))
    for (const row of db.rows('select USER_ID as id, ROLE as role from USER_ROLE', { most: grantsMax }))
      add(row['id'], row['role'])
  for (const role of ['ADMIN', 'FILE_DOWNLOAD', 'PAGE_STREAMING'])
    if (db.has('USER', `ROLE_${role}`))
      for (const row of db.rows(`select ID as id from USER where ROLE_${role} = 1`, { most: usersMax }))
        add(row['id'], role)
  return roles
}

const grouped = ({ db }: KomgaStore, rows: string): ReadonlyMap<string, readonly string[]> => {
  const groups = new Map<string, string[]>()
  const [, table = ''] = / from (\w+)/.exec(rows) ?? []
  if (!db.has(table)) return groups
  for (const row of db.rows(rows, { most: grantsMax })) {
    const [owner, text] = [textOf(row['owner']), textOf(row['text'], 200)]
    if (owner === null || text === null) continue
    const group = groups.get(owner)
    if (group) group.push(text)
    else groups.set(owner, [text])
  }
  return groups
}

const progressRows = `
  select p.BOOK_ID as book, p.USER_ID as user, p.CREATED_DATE as startedAt, p.LAST_MODIFIED_DATE as changedAt,
    p.PAGE as page, p.COMPLETED as isCompleted, p.READ_DATE as readAt, @locator as locator, m.PAGE_COUNT as pages,
    coalesce(m.MEDIA_TYPE, '') like 'application/epub%' as isFlowing
  from READ_PROGRESS p left join MEDIA m on m.BOOK_ID = p.BOOK_ID
  order by p.USER_ID, p.BOOK_ID`

export const progressIn = function* ({ db, passedOver }: KomgaStore): Generator<ForeignRecord> {
  const locator = db.has('READ_PROGRESS', 'locator')
    ? `case when length(p.locator) <= ${recordLimits.prose} then p.locator end`
    : 'null'
  const rows = db.rows(progressRows.replace('@locator', locator), {
    onMore: () => passedOver.add('states of reading', 'too_much'),
  })
  for (const row of rows) {
    const [user, book] = [textOf(row['user']), textOf(row['book'])]
    const isCompleted = truthOf(row['isCompleted'])
    const position = positionOf(row)
    if (user === null || book === null || (position.page === null && position.fraction === null && !isCompleted)) {
      passedOver.add('states of reading that say nothing', 'invalid', book)
      continue
    }
    const at = instantOf(row['readAt']) ?? instantOf(row['changedAt'])
    if (at === null) passedOver.add('times of reading that are none', 'invalid', textOf(row['readAt'], 60))
    const startedAt = instantOf(row['startedAt'])
    yield {
      type: 'progress',
      user,
      book,
      position,
      pages: wholeOf(row['pages'], 1, 10_000_000),
      isCompleted,
      startedAt: startedAt !== null && at !== null && startedAt > at ? at : startedAt,
      at,
      completedAt: isCompleted ? at : null,
    }
  }
}

const unpackedMax = 256 * 1024

/** The pages of a flowing book are worked out from its size and mean nothing elsewhere: how far one is does. */
const positionOf = (row: StoreRow): Position => {
  const page = wholeOf(row['page'], 0, 10_000_000)
  if (!truthOf(row['isFlowing'])) return { page: page === 0 ? 1 : page, fraction: null, locator: null }
  const locator = locatorOf(row['locator'])
  const { totalProgression } = (locator?.['locations'] ?? {}) as { readonly totalProgression?: unknown }
  const pages = wholeOf(row['pages'], 1, 10_000_000)
  const share = page === null || pages === null ? null : Math.min(1, page / pages)
  return { page: null, fraction: numberOf(totalProgression, 0, 1) ?? share, locator: locator ?? null }
}

/** A gzip of JSON: what would unpack to more than a locator has is none. */
const locatorOf = (value: unknown): Record<string, unknown> | undefined => {
  const bytes = bytesOf(value, recordLimits.prose)
  if (bytes === null) return undefined
  try {
    const locator = jsonOf(gunzipSync(bytes, { maxOutputLength: unpackedMax }).toString('utf8'))
    return typeof locator === 'object' && locator !== null && !Array.isArray(locator)
      ? (locator as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
