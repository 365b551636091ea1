import { errorCodes, limits, methods, misfitOf, type StoredKey, type StoredValue } from '@carrel/plugin-sdk/protocol'
import type { Database, WriteDb } from '../../../database/database.ts'
import { lockUser } from '../../../database/lock-user.ts'
import { momentIn } from '../../../platform/text/spelled-values.ts'
import { Refusal } from '../../../plugins/peer.ts'
import type { PluginSpec } from '../../../plugins/supervised.ts'
import { isToForget } from '../installing/out-of-date.ts'
import { everybody } from './launch.ts'
import {
  type DataOwner,
  deleteExpired,
  deleteStored,
  saveStored,
  selectStored,
  selectStoredKeys,
  selectUserChanges,
} from '../queries.ts'

interface StorageContext {
  readonly db: Pick<Database, 'read' | 'write'>
  readonly clock: () => Date
}

interface StorageRequest {
  readonly key: string
  readonly data?: unknown
  readonly expiresAt?: string | null
}

/** A plugin may only ask for storage, for itself or for the user it runs for, whom it cannot choose. */
export const answerPlugin =
  (around: StorageContext) =>
  async (spec: PluginSpec, method: string, params: unknown): Promise<unknown> => {
    const handler = methods.get(method)
    const answer = answers[method]
    if (handler?.calledBy !== 'plugin' || !answer)
      throw new Refusal(errorCodes.method_not_found, 'This server does not offer that.')
    const misfit = handler.params && misfitOf(handler.params, params)
    if (misfit !== undefined) throw new Refusal(errorCodes.invalid_params, `The parameters do not fit: ${misfit}.`)
    // The schema has just been checked.
    return answer(around, spec, (params ?? {}) as StorageRequest)
  }

type Answer = (around: StorageContext, spec: PluginSpec, request: StorageRequest) => Promise<unknown>

const ownerOf = ({ pluginId, userId }: PluginSpec): DataOwner => ({ pluginId, owner: userId ?? everybody })

const answers: Readonly<Record<string, Answer>> = {
  'storage/get': async ({ db, clock }, spec, { key }): Promise<StoredValue> => {
    const row = await selectStored(db.read, ownerOf(spec), key, clock().toISOString())
    return { data: row ? (JSON.parse(row.data) as unknown) : null, expiresAt: row?.expires_at ?? null }
  },

  'storage/set': async ({ db, clock }, spec, { key, data, expiresAt }) => {
    const written = JSON.stringify(data ?? null)
    if (Buffer.byteLength(written) > limits.storageValueBytes)
      throw new Refusal(errorCodes.invalid_params, `A value may take ${limits.storageValueBytes} bytes.`)
    const ends = expiryOf(expiresAt)
    const now = clock().toISOString()
    const owner = ownerOf(spec)
    await db.write(async (db) => {
      await requireRemembered(db, spec)
      await deleteExpired(db, owner, now)
      const keys = await selectStoredKeys(db, owner, now)
      if (keys.length >= limits.storageKeys && !keys.some((each) => each.key === key))
        throw new Refusal(errorCodes.invalid_params, `There may be ${limits.storageKeys} keys.`)
      await saveStored(db, {
        plugin_id: spec.pluginId,
        owner: owner.owner,
        user_id: spec.userId,
        key,
        data: written,
        expires_at: ends,
        updated_at: now,
      })
    })
    return { success: true }
  },

  'storage/delete': async ({ db }, spec, { key }) => ({
    deleted: (await db.write((db) => deleteStored(db, ownerOf(spec), key))) > 0,
  }),

  'storage/list': async ({ db, clock }, spec): Promise<{ keys: StoredKey[] }> => {
    const rows = await selectStoredKeys(db.read, ownerOf(spec), clock().toISOString())
    return {
      keys: rows.map(({ key, expires_at, updated_at }) => ({ key, expiresAt: expires_at, updatedAt: updated_at })),
    }
  },

  'storage/clear': async ({ db }, spec) => ({
    deletedCount: await db.write((db) => deleteStored(db, ownerOf(spec))),
  }),
}

/** A process that ends because its user has disconnected it stores nothing more: all of that was deleted. */
const requireRemembered = async (db: WriteDb, spec: PluginSpec): Promise<void> => {
  const { pluginId, userId } = spec
  if (userId === null) return
  await lockUser(db, userId)
  const [change] = await selectUserChanges(db, [pluginId], [userId])
  if (isToForget(spec, change)) throw new Refusal(errorCodes.invalid_request, 'Your user has disconnected you.')
}

const expiryOf = (given: string | null | undefined): string | null => {
  if (given == null) return null
  const time = momentIn(given)
  if (!Number.isFinite(time)) throw new Refusal(errorCodes.invalid_params, 'expiresAt is not a time.')
  return new Date(time).toISOString()
}
