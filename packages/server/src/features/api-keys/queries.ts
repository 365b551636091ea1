import type { ApiKeyDto, DownloadMetadata, Permission } from '@carrel/api'
import type { Selectable } from 'kysely'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { flag } from '../../database/flag.ts'
import { cachedStatement } from '../../database/cached-statement.ts'
import type { Order, Paging } from '../../platform/paging.ts'
import { sortKey } from '../../platform/text/sort-key.ts'
import type { ApiKeyTables } from './table.ts'

type KeyRow = Selectable<ApiKeyTables['api_key']>
export type KeyOrder = Order<'name' | 'createdAt' | 'lastUsedAt'>

export const countKeys = async (db: ReadDb, userId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('api_key')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

const columnOf = { name: 'sort_key', createdAt: 'created_at', lastUsedAt: 'last_used_at' } as const

export const selectKeys = async (
  db: ReadDb,
  userId: string,
  { field, direction }: KeyOrder,
  { limit, offset }: Paging,
): Promise<ApiKeyDto[]> => {
  const rows = await db
    .selectFrom('api_key')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy(columnOf[field], (order) => (direction === 'desc' ? order.desc() : order.asc()).nullsLast())
    .orderBy('id', direction)
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map(toApiKey)
}

export const selectKey = async (db: ReadDb, id: string): Promise<ApiKeyDto | undefined> => {
  const row = await db.selectFrom('api_key').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toApiKey(row)
}

const keyWithId = cachedStatement((db, { id }) => db.selectFrom('api_key').selectAll().where('id', '=', id), ['id'])

export const selectKeysById = async (db: ReadDb, ids: readonly string[]): Promise<ApiKeyDto[]> => {
  const [only, ...others] = ids
  if (only === undefined) return []
  if (others.length === 0) return (await keyWithId(db, { id: only }, undefined)).map(toApiKey)
  return (await db.selectFrom('api_key').selectAll().where('id', 'in', ids).execute()).map(toApiKey)
}

export const selectKeyByHash = async (db: ReadDb, keyHash: string): Promise<ApiKeyDto | undefined> => {
  const row = await db.selectFrom('api_key').selectAll().where('key_hash', '=', keyHash).executeTakeFirst()
  return row && toApiKey(row)
}

export const selectKeyByMd5Hash = async (db: ReadDb, md5Hash: string): Promise<ApiKeyDto | undefined> => {
  const row = await db.selectFrom('api_key').selectAll().where('md5_hash', '=', md5Hash).executeTakeFirst()
  return row && toApiKey(row)
}

export interface NewKey {
  readonly id: string
  readonly userId: string
  readonly name: string
  readonly keyPrefix: string
  readonly keyHash: string
  readonly md5Hash: string
  readonly permissions: readonly Permission[] | null
  readonly expiresAt: string | null
  readonly downloadMetadata: DownloadMetadata | null
  readonly at: string
}

export const insertKey = async (db: WriteDb, key: NewKey): Promise<void> => {
  await db
    .insertInto('api_key')
    .values({
      id: key.id,
      user_id: key.userId,
      name: key.name,
      sort_key: sortKey(key.name),
      key_prefix: key.keyPrefix,
      key_hash: key.keyHash,
      md5_hash: key.md5Hash,
      permissions: key.permissions && JSON.stringify(key.permissions),
      is_active: 1,
      expires_at: key.expiresAt,
      download_metadata: key.downloadMetadata,
      last_used_at: null,
      created_at: key.at,
      updated_at: key.at,
    })
    .execute()
}

export interface KeyChanges {
  readonly name?: string | undefined
  readonly permissions?: readonly Permission[] | null | undefined
  readonly isActive?: boolean | undefined
  readonly expiresAt?: string | null | undefined
  readonly downloadMetadata?: DownloadMetadata | null | undefined
}

export const updateKey = async (db: WriteDb, id: string, changes: KeyChanges, at: string): Promise<void> => {
  const { name, permissions, isActive, expiresAt, downloadMetadata } = changes
  await db
    .updateTable('api_key')
    .set({
      updated_at: at,
      ...(name !== undefined && { name, sort_key: sortKey(name) }),
      ...(permissions !== undefined && { permissions: permissions && JSON.stringify(permissions) }),
      ...(isActive !== undefined && { is_active: flag(isActive) }),
      ...(expiresAt !== undefined && { expires_at: expiresAt }),
      ...(downloadMetadata !== undefined && { download_metadata: downloadMetadata }),
    })
    .where('id', '=', id)
    .execute()
}

export const deleteKey = async (db: WriteDb, id: string): Promise<void> => {
  await db.deleteFrom('api_key').where('id', '=', id).execute()
}

export const updateKeysLastUsed = async (db: WriteDb, ids: readonly string[], at: string): Promise<void> => {
  await db.updateTable('api_key').set({ last_used_at: at }).where('id', 'in', ids).execute()
}

const toApiKey = (row: KeyRow): ApiKeyDto => ({
  id: row.id,
  userId: row.user_id,
  name: row.name,
  keyPrefix: row.key_prefix,
  permissions: row.permissions === null ? null : (JSON.parse(row.permissions) as Permission[]),
  isActive: row.is_active === 1,
  expiresAt: row.expires_at,
  downloadMetadata: row.download_metadata,
  lastUsedAt: row.last_used_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})
