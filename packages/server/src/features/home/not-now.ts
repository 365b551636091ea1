import type { Database, ReadDb } from '../../database/database.ts'
import { requireBook } from '../../catalogue/entries/entries.ts'
import type { Viewer } from '../../catalogue/visibility/visibility.ts'
import { changePreference, findPreference } from '../preferences/preferences.ts'
import { type PutAside, selectUpdatedAt } from './queries.ts'

/** It is one of the user's preferences, as the layout is. */
const key = 'home.notNow'

/** Who puts more aside than this has long forgotten the first. */
const asideMax = 50

export const readPutAside = async (db: ReadDb, userId: string): Promise<readonly PutAside[]> =>
  putAsideIn(await findPreference(db, userId, key))

/** Anything else that was written into the preference is ignored. */
const putAsideIn = (stored: unknown): readonly PutAside[] =>
  Array.isArray(stored) ? stored.filter(isPutAside).slice(0, asideMax) : []

const isPutAside = (value: unknown): value is PutAside => {
  const { bookId, at } = (value ?? {}) as { readonly bookId?: unknown; readonly at?: unknown }
  return typeof bookId === 'string' && typeof at === 'string'
}

export const putBookAside = async (db: Database, viewer: Viewer, id: string, now: Date): Promise<undefined> => {
  await requireBook(db.read, viewer, id)
  const at = await selectUpdatedAt(db.read, viewer, id)
  if (at === undefined) return undefined
  const change = (stored: unknown) => [{ bookId: id, at }, ...others(stored, id)].slice(0, asideMax)
  return changePreference(db, viewer.userId, { key, change }, now)
}

export const takeBookUp = async (db: Database, viewer: Viewer, id: string, now: Date): Promise<undefined> => {
  await requireBook(db.read, viewer, id)
  return changePreference(db, viewer.userId, { key, change: (stored) => others(stored, id) }, now)
}

const others = (stored: unknown, id: string): readonly PutAside[] =>
  putAsideIn(stored).filter(({ bookId }) => bookId !== id)
