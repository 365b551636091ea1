import {
  type ApiKeyDto,
  type ApiKeyPatch,
  type CreatedApiKey,
  type ListAnswer,
  type NewApiKey,
  type Permission,
  permissionFrom,
} from '@carrel/api'
import type { Database, ReadDb, WriteDb } from '../../database/database.ts'
import { raiseRevision } from '../../database/revisions.ts'
import type { Caller } from '../../http/caller.ts'
import { full, invalid, notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { cleanName } from '../../platform/text/names.ts'
import { orderOf, type Paging, type Sort } from '../../platform/paging.ts'
import { md5, randomLabel, randomToken, sha256 } from '../../platform/secrets/tokens.ts'
import { requireUser } from '../users/users.ts'
import {
  countKeys,
  deleteKey,
  insertKey,
  type KeyOrder,
  selectKey,
  selectKeyByHash,
  selectKeyByMd5Hash,
  selectKeys,
  selectKeysById,
  updateKey,
} from './queries.ts'

export { updateKeysLastUsed } from './queries.ts'

const keysMax = 50
const keyPattern = /^carrel_[a-z0-9]{8}_[\w-]{43}$/

type Expect = (current: ApiKeyDto) => void

/** The key is valid today; it may still belong to a user who is not. */
export const findKey = async (db: ReadDb, key: string, now: Date): Promise<ApiKeyDto | undefined> => {
  if (!hasApiKeyForm(key)) return undefined
  const row = await selectKeyByHash(db, sha256(key))
  return row && isGood(row, now) ? row : undefined
}

/** The same, from the MD5 of a key in hex: all that KOReader sends of what was typed as a password (W12). */
export const findKeyByMd5 = async (db: ReadDb, digest: string, now: Date): Promise<ApiKeyDto | undefined> => {
  const row = await selectKeyByMd5Hash(db, sha256(digest))
  return row && isGood(row, now) ? row : undefined
}

/** It returns those of `ids` that are valid today. */
export const findGoodKeys = async (
  db: ReadDb,
  ids: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, ApiKeyDto>> => {
  const keys = await selectKeysById(db, ids)
  return new Map(keys.filter((key) => isGood(key, now)).map((key) => [key.id, key]))
}

const isGood = ({ isActive, expiresAt }: ApiKeyDto, now: Date): boolean =>
  isActive && (expiresAt === null || Date.parse(expiresAt) > now.getTime())

export const hasApiKeyForm = (text: string): boolean => keyPattern.test(text)

export const listKeys = async (
  db: ReadDb,
  caller: Caller,
  { userId, sort }: { userId?: string | undefined; sort?: Sort<KeyOrder['field']> | undefined },
  paging: Paging,
): Promise<ListAnswer<ApiKeyDto>> => {
  const ownerId = userId ?? caller.userId
  if (ownerId !== caller.userId) {
    if (!managesOthers(caller)) throw notFound('user')
    await requireUser(db, ownerId)
  }
  const total = await countKeys(db, ownerId)
  return { total, data: paging.offset < total ? await selectKeys(db, ownerId, orderOf(sort, 'name'), paging) : [] }
}

export const readKey = async (db: ReadDb, caller: Caller, id: string): Promise<ApiKeyDto> => {
  const key = await selectKey(db, id)
  if (!key || (key.userId !== caller.userId && !managesOthers(caller))) throw notFound('API key')
  return key
}

const managesOthers = ({ permissions }: Caller): boolean => permissions.has('system:admin')

export const createKey = (db: Database, caller: Caller, input: NewApiKey, now: Date): Promise<CreatedApiKey> => {
  const permissions = ownPermissions(caller, input.permissions ?? null)
  const keyPrefix = `carrel_${randomLabel(8)}`
  const key = `${keyPrefix}_${randomToken()}`
  const id = newId(now.getTime())
  const row = {
    id,
    userId: caller.userId,
    name: cleanName(input.name, '/name'),
    keyPrefix,
    keyHash: sha256(key),
    md5Hash: sha256(md5(key)),
    permissions,
    expiresAt: requireTime(input.expiresAt ?? null),
    downloadMetadata: input.downloadMetadata ?? null,
    at: now.toISOString(),
  }
  return db.write(async (db) => {
    // Takes its turn after others that create keys, so that none of them counts too few.
    await raiseRevision(db, 'access')
    if ((await countKeys(db, caller.userId)) >= keysMax) {
      throw full(keysMax, `You have ${keysMax} API keys already. Delete one first.`)
    }
    await insertKey(db, row)
    return { ...(await readKey(db, caller, id)), key }
  })
}

export const changeKey = (
  db: Database,
  caller: Caller,
  id: string,
  { patch, now, expectMatch }: { patch: ApiKeyPatch; now: Date; expectMatch: Expect },
): Promise<ApiKeyDto> =>
  db.write(async (db) => {
    await raiseRevision(db, 'access')
    expectMatch(await readKey(db, caller, id))
    await updateKey(db, id, changesOf(caller, patch), now.toISOString())
    return readKey(db, caller, id)
  })

const changesOf = (caller: Caller, { name, permissions, isActive, expiresAt, downloadMetadata }: ApiKeyPatch) => ({
  name: name === undefined ? undefined : cleanName(name, '/name'),
  isActive,
  downloadMetadata,
  permissions: permissions === undefined ? undefined : ownPermissions(caller, permissions),
  expiresAt: expiresAt === undefined ? undefined : requireTime(expiresAt),
})

export const removeKey = (db: Database, caller: Caller, id: string, expectMatch: Expect): Promise<undefined> =>
  db.write(async (db: WriteDb) => {
    await raiseRevision(db, 'access')
    expectMatch(await readKey(db, caller, id))
    await deleteKey(db, id)
    return undefined
  })

const ownPermissions = (caller: Caller, spelled: readonly string[] | null): Permission[] | null => {
  if (spelled === null) return null
  const permissions = [...new Set(spelled.map(permissionFrom))]
  const foreign = permissions.findIndex((permission) => !caller.permissions.has(permission))
  if (foreign >= 0)
    throw invalid(`/permissions/${foreign}`, `You do not have the permission ${permissions[foreign]} yourself.`)
  return permissions
}

/** The contract lets leap seconds and some spellings of a time zone through that no clock of ours knows. */
const requireTime = (text: string | null): string | null => {
  if (text === null) return null
  const time = new Date(text)
  if (Number.isNaN(time.getTime()))
    throw invalid('/expiresAt', `"${text}" is not a time such as 2026-11-21T10:00:00.000Z.`, { reason: 'time_wrong' })
  return time.toISOString()
}
