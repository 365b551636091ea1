import type { ReadDb, WriteDb } from '../../database/database.ts'
import { flag } from '../../database/flag.ts'

export interface ClientSetting {
  readonly key: string
  readonly value: string
  readonly isOpen: boolean
}

export const everybody = 'everybody'

export const selectClientSettings = async (db: ReadDb, owner: string): Promise<ClientSetting[]> => {
  const rows = await db
    .selectFrom('client_setting')
    .select(['key', 'value', 'is_open'])
    .where('owner', '=', owner)
    .orderBy('key')
    .execute()
  return rows.map(({ key, value, is_open }) => ({ key, value, isOpen: is_open === 1 }))
}

export const countClientSettings = async (db: ReadDb, owner: string): Promise<number> => {
  const { count } = await db
    .selectFrom('client_setting')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('owner', '=', owner)
    .executeTakeFirstOrThrow()
  return count
}

export const upsertClientSettings = async (
  db: WriteDb,
  owner: string,
  settings: readonly ClientSetting[],
): Promise<void> => {
  const user_id = owner === everybody ? null : owner
  await db
    .insertInto('client_setting')
    .values(settings.map(({ key, value, isOpen }) => ({ owner, user_id, key, value, is_open: flag(isOpen) })))
    .onConflict((conflict) =>
      conflict.columns(['owner', 'key']).doUpdateSet(({ ref }) => ({
        value: ref('excluded.value'),
        is_open: ref('excluded.is_open'),
      })),
    )
    .execute()
}

export const deleteClientSettings = async (db: WriteDb, owner: string, keys: readonly string[]): Promise<void> => {
  await db.deleteFrom('client_setting').where('owner', '=', owner).where('key', 'in', keys).execute()
}
