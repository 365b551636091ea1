import { type Static, Type } from 'typebox'
import { limits } from './limits.ts'
import { onHost } from './method.ts'
import { Json, Maybe, Moment, message } from './schema.ts'

/** Every plugin may keep a little: for itself, or for each user it runs for. A plugin says only the key. */

const Key = Type.String({ minLength: 1, maxLength: limits.storageKeyCharacters })

export const StoredValue = message({
  /** Null: there is none. */
  data: Type.Optional(Json),
  expiresAt: Maybe(Moment),
})
export type StoredValue = Static<typeof StoredValue>

export const StoredKey = message({ key: Type.String(), expiresAt: Maybe(Moment), updatedAt: Maybe(Moment) })
export type StoredKey = Static<typeof StoredKey>

export const storageGet = onHost('storage/get', { params: message({ key: Key }), result: StoredValue })
export const storageSet = onHost('storage/set', {
  params: message({ key: Key, data: Json, expiresAt: Maybe(Moment) }),
  result: message({ success: Type.Boolean() }),
})
export const storageDelete = onHost('storage/delete', {
  params: message({ key: Key }),
  result: message({ deleted: Type.Boolean() }),
})
/** The list leaves out keys that have expired. */
export const storageList = onHost('storage/list', { result: message({ keys: Type.Array(StoredKey) }) })
export const storageClear = onHost('storage/clear', { result: message({ deletedCount: Type.Integer() }) })
