import type { Connection } from '@carrel/api'
import { type Selectable, sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { insertMany } from '../../database/many.ts'
import type { Paging } from '../../platform/paging.ts'
import type { ConnectionTables } from './table.ts'

export type ConnectionRow = Selectable<ConnectionTables['connection']>

export const countConnections = async (db: ReadDb, userId: string): Promise<number> => {
  const { count } = await db
    .selectFrom('connection')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return count
}

export const selectConnections = async (
  db: ReadDb,
  userId: string,
  { limit, offset }: Paging,
): Promise<Connection[]> => {
  const rows = await db
    .selectFrom('connection')
    .leftJoin('api_key', 'api_key.id', 'connection.by_id')
    .selectAll('connection')
    .select('api_key.name as keyName')
    .where('connection.user_id', '=', userId)
    .orderBy('used_at', 'desc')
    .orderBy('connection.id')
    .limit(limit)
    .offset(offset)
    .execute()
  return rows.map(({ id, door, app, by_kind, keyName, used_at, requests, trouble }) => ({
    id,
    door,
    app,
    signedInBy: by_kind,
    keyName,
    usedAt: used_at,
    requests: JSON.parse(requests) as Connection['requests'],
    trouble: trouble === null ? null : (JSON.parse(trouble) as Connection['trouble']),
  }))
}

/** It returns those of these users that still exist. */
export const selectStandingUsers = async (db: ReadDb, userIds: readonly string[]): Promise<ReadonlySet<string>> => {
  const rows = await db.selectFrom('user').select('id').where('id', 'in', userIds).execute()
  return new Set(rows.map(({ id }) => id))
}

export const selectConnectionsOf = (db: ReadDb, userIds: readonly string[]): Promise<ConnectionRow[]> =>
  db.selectFrom('connection').selectAll().where('user_id', 'in', userIds).execute()

export const saveConnections = (db: WriteDb, rows: readonly ConnectionRow[]): Promise<void> =>
  insertMany(db, 'connection', rows, {
    keys: ['user_id', 'id'],
    sets: ['app', 'used_at', 'requests', 'trouble'],
  })

/** It deletes for each of these users all connections but those used last. */
export const deleteOldConnections = async (db: WriteDb, userIds: readonly string[], maxRows: number): Promise<void> => {
  await sql`delete from connection where (user_id, id) in (
    select user_id, id from (
      select user_id, id, row_number() over (partition by user_id order by used_at desc, id) as place
      from connection where user_id in (${sql.join(userIds)})
    ) as ranked where place > ${maxRows})`.execute(db)
}
