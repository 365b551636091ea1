import type { DeviceDto } from '@carrel/api'
import { sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../../database/database.ts'
import type { Paging } from '../../../platform/paging.ts'

/** Devices that were merged into another one are left out. */
const standing = (db: ReadDb, userId: string) =>
  db.selectFrom('device').where('user_id', '=', userId).where('merged_into', 'is', null)

export const countDevices = async (db: ReadDb, userId: string): Promise<number> => {
  const { count } = await standing(db, userId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

const shown = (db: ReadDb, userId: string) =>
  standing(db, userId).select([
    'id',
    'name',
    'given_name',
    sql<string>`(select max(part.last_used_at) from device as part where part.user_id = device.user_id
      and (part.id = device.id or part.merged_into = device.id))`.as('last_used_at'),
  ])

const devicesMergedMax = 100

/** The key is the device into which the others were merged. */
const selectMerged = async (
  db: ReadDb,
  userId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string[]>> => {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; merged_into: string }>`select id, merged_into from (
      select id, merged_into, row_number() over (partition by merged_into order by last_used_at desc, id) as place
      from device where user_id = ${userId} and merged_into in (${sql.join(ids)})
    ) as parts where place <= ${devicesMergedMax} order by merged_into, place`.execute(db)
  const byStanding = Map.groupBy(rows, ({ merged_into }) => merged_into)
  return new Map([...byStanding].map(([id, parts]) => [id, parts.map((part) => part.id)]))
}

const toDevices = async (
  db: ReadDb,
  userId: string,
  rows: readonly { id: string; name: string | null; given_name: string | null; last_used_at: string }[],
): Promise<DeviceDto[]> => {
  const merged = await selectMerged(
    db,
    userId,
    rows.map(({ id }) => id),
  )
  return rows.map(({ id, name, given_name, last_used_at }) => ({
    id,
    name: given_name ?? name,
    ownName: name,
    lastUsedAt: last_used_at,
    mergedIds: merged.get(id) ?? [],
  }))
}

export const selectDevices = async (db: ReadDb, userId: string, { limit, offset }: Paging): Promise<DeviceDto[]> => {
  const rows = await db
    .selectFrom(shown(db, userId).as('shown'))
    .selectAll()
    .orderBy('last_used_at', 'desc')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()
  return toDevices(db, userId, rows)
}

export const selectDevice = async (db: ReadDb, userId: string, id: string): Promise<DeviceDto | undefined> => {
  const row = await shown(db, userId).where('id', '=', id).executeTakeFirst()
  return row && (await toDevices(db, userId, [row]))[0]
}

export const updateGivenName = async (db: WriteDb, userId: string, id: string, name: string | null): Promise<void> => {
  await db.updateTable('device').set({ given_name: name }).where('user_id', '=', userId).where('id', '=', id).execute()
}

/** Devices that were merged into it go along. */
export const updateMergedInto = async (db: WriteDb, userId: string, id: string, into: string): Promise<void> => {
  await db
    .updateTable('device')
    .set({ merged_into: into })
    .where('user_id', '=', userId)
    .where(({ or, eb }) => or([eb('id', '=', id), eb('merged_into', '=', id)]))
    .execute()
}

/** Devices that were merged into it go along. It returns their ids. */
export const deleteDevice = async (db: WriteDb, userId: string, id: string): Promise<string[]> => {
  const rows = await db
    .deleteFrom('device')
    .where('user_id', '=', userId)
    .where(({ or, eb }) => or([eb('id', '=', id), eb('merged_into', '=', id)]))
    .returning('id')
    .execute()
  return rows.map((row) => row.id)
}
