import { type Preference, preferenceBytesMax, preferencesMax } from '@carrel/api'
import type { Database, ReadDb, WriteDb } from '../../database/database.ts'
import type { NamedWrite } from '../../database/named-write.ts'
import { full, invalid, notFound } from '../../platform/errors.ts'
import { lockUser } from '../../database/lock-user.ts'
import { forReader } from '../../database/whom-it-concerns.ts'
import { countPreferences, deletePreference, selectPreference, upsertPreferences } from './queries.ts'

export const readPreference = async (db: ReadDb, userId: string, key: string): Promise<Preference> => {
  const preference = await selectPreference(db, userId, key)
  if (!preference) throw notFound('preference')
  return preference
}

/** It reads what a feature has stored there for a user; undefined when there is nothing. */
export const findPreference = async (db: ReadDb, userId: string, key: string): Promise<unknown> =>
  (await selectPreference(db, userId, key))?.value

export interface NewPreference {
  readonly key: string
  readonly value: unknown
  /** The value stands here in the request. */
  readonly path: string
}

export const savePreferences = async (
  db: Database,
  userId: string,
  preferences: readonly NewPreference[],
  now: Date,
): Promise<void> => {
  const rows = preferences.map((each) => ({ key: each.key, text: textOf(each) }))
  if (rows.length === 0) return
  await db.writeNamed(storedPreferences, { userId, rows, now })
}

interface PreferencesToStore {
  readonly userId: string
  readonly rows: readonly { readonly key: string; readonly text: string }[]
  readonly now: Date
}

export const storedPreferences: NamedWrite<PreferencesToStore, void> = {
  name: 'preferences',
  lockedUser: ({ userId }) => userId,
  work: async (db, { userId, rows, now }) => {
    await lockUser(db, userId)
    await store(db, userId, rows, now)
  },
}

/** It changes what a feature has stored there, of which nobody else makes something else meanwhile. */
export const changePreference = (
  db: Database,
  userId: string,
  { key, change }: { readonly key: string; readonly change: (stored: unknown) => unknown },
  now: Date,
): Promise<undefined> =>
  db.write(async (db) => {
    await lockUser(db, userId)
    const value = change((await selectPreference(db, userId, key))?.value)
    await store(db, userId, [{ key, text: textOf({ key, value, path: '' }) }], now)
    return undefined
  })

const store = async (
  db: WriteDb,
  userId: string,
  rows: readonly { readonly key: string; readonly text: string }[],
  now: Date,
): Promise<void> => {
  await forReader(userId, () => upsertPreferences(db, userId, rows, now.toISOString()))
  if ((await countPreferences(db, userId)) <= preferencesMax) return
  throw full(preferencesMax, `You have ${preferencesMax} preferences already. Delete some first.`)
}

export const removePreference = (db: Database, userId: string, key: string): Promise<undefined> =>
  db.write(async (db) => {
    if (!(await forReader(userId, () => deletePreference(db, userId, key)))) throw notFound('preference')
    return undefined
  })

const textOf = ({ key, value, path }: NewPreference): string => {
  const text = JSON.stringify(value)
  if (Buffer.byteLength(text) > preferenceBytesMax) {
    throw invalid(path, `The preference "${key}" is larger than ${preferenceBytesMax / 1024} KiB.`)
  }
  return text
}
