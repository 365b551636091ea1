import { type Insertable, type Selectable, type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import { insertMany } from '../../database/many.ts'
import type { Schema } from '../../database/schema.ts'
import type { Paging } from '../../platform/paging.ts'
import { nameKey } from '../../platform/text/sort-key.ts'
import type { SignInActivityTables } from './table.ts'

export type NewActivity = Insertable<SignInActivityTables['sign_in_activity']>

/** A row with the same key is extended. */
export const upsertActivity = (db: WriteDb, rows: readonly NewActivity[]): Promise<void> =>
  insertMany(db, 'sign_in_activity', rows, { keys: ['fold_key'], sets: ['last_at'] })

/** It returns the owners of these names, by folded name: user names and addresses. */
export const selectUserIdsByName = async (
  db: ReadDb,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  if (names.length === 0) return new Map()
  const keys = [...new Set(names.map(nameKey))]
  const rows = await db
    .selectFrom('user')
    .select(['id', 'username_key', 'email_key'])
    .where((eb) => eb.or([eb('username_key', 'in', keys), eb('email_key', 'in', keys)]))
    .execute()
  return new Map(
    rows.flatMap(({ id, username_key, email_key }) => [
      [username_key, id] as const,
      ...(email_key === null ? [] : [[email_key, id] as const]),
    ]),
  )
}

/** It returns the users who still exist: nothing is recorded for a user who has been deleted since. */
export const selectUserIds = async (db: ReadDb, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  if (ids.length === 0) return new Set()
  const rows = await db.selectFrom('user').select('id').where('id', 'in', ids).execute()
  return new Set(rows.map(({ id }) => id))
}

export const selectKeyNames = async (db: ReadDb, ids: readonly string[]): Promise<ReadonlyMap<string, string>> => {
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('api_key').select(['id', 'name']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

export interface ActivityFilter {
  readonly userId?: string | undefined
  readonly apiKeyId?: string | undefined
  readonly success?: boolean | undefined
}

const matching = (
  eb: ExpressionBuilder<Schema, 'sign_in_activity'>,
  { userId, apiKeyId, success }: ActivityFilter,
): Expression<SqlBool> => {
  const conditions: Expression<SqlBool>[] = []
  if (userId !== undefined) conditions.push(eb('sign_in_activity.user_id', '=', userId))
  if (apiKeyId !== undefined) conditions.push(eb('sign_in_activity.api_key_id', '=', apiKeyId))
  if (success !== undefined) conditions.push(eb('sign_in_activity.error', success ? 'is' : 'is not', null))
  return eb.and(conditions)
}

export const countActivity = async (db: ReadDb, filter: ActivityFilter): Promise<number> => {
  const { count } = await db
    .selectFrom('sign_in_activity')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where((eb) => matching(eb, filter))
    .executeTakeFirstOrThrow()
  return count
}

export type ActivityRow = Selectable<SignInActivityTables['sign_in_activity']> & {
  readonly username: string | null
  readonly email: string | null
}

export const selectActivity = (
  db: ReadDb,
  filter: ActivityFilter,
  { limit, offset }: Pick<Paging, 'limit' | 'offset'>,
): Promise<ActivityRow[]> =>
  db
    .selectFrom('sign_in_activity')
    .leftJoin('user', 'user.id', 'sign_in_activity.user_id')
    .selectAll('sign_in_activity')
    .select(['user.username', 'user.email'])
    .where((eb) => matching(eb, filter))
    .orderBy('sign_in_activity.last_at', 'desc')
    .orderBy('sign_in_activity.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()

// The rest of this file deletes old rows.

/** It returns the time at which the row of this rank was last noted, among failures or among successes. */
export const selectTimeOfRank = async (db: ReadDb, hasFailed: boolean, rank: number): Promise<string | undefined> => {
  const row = await db
    .selectFrom('sign_in_activity')
    .select('last_at')
    .where('error', hasFailed ? 'is not' : 'is', null)
    .orderBy('last_at', 'desc')
    .limit(1)
    .offset(rank)
    .executeTakeFirst()
  return row?.last_at
}

export const deleteActivityUntil = async (
  db: WriteDb,
  { until, hasFailed }: { readonly until: string; readonly hasFailed?: boolean },
  limit: number,
): Promise<number> => {
  const old = db
    .selectFrom('sign_in_activity')
    .select('id')
    .where('last_at', '<=', until)
    .$if(hasFailed !== undefined, (query) => query.where('error', hasFailed === true ? 'is not' : 'is', sql.lit(null)))
    .limit(limit)
  const { numDeletedRows } = await db.deleteFrom('sign_in_activity').where('id', 'in', old).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
