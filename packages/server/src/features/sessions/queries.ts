import type { SessionDto } from '@carrel/api'
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import type { Schema } from '../../database/schema.ts'
import type { SessionKind } from './table.ts'

export interface NewSession {
  readonly id: string
  readonly userId: string
  readonly cookieHash: string
  readonly deviceName: string | null
  readonly userAgent: string | null
  readonly ip: string | null
  readonly network: string
  readonly at: string
  readonly kind: SessionKind
  readonly client: string | null
  readonly apiKeyId: string | null
}

export type { SessionKind } from './table.ts'

export const insertSession = async (db: WriteDb, session: NewSession): Promise<void> => {
  const { id, userId, cookieHash, deviceName, userAgent, ip, network, at, kind, client, apiKeyId } = session
  await db
    .insertInto('session')
    .values({
      id,
      user_id: userId,
      cookie_hash: cookieHash,
      device_name: deviceName,
      user_agent: userAgent,
      ip,
      network,
      created_at: at,
      last_used_at: at,
      ended_at: null,
      kind,
      client,
      api_key_id: apiKeyId,
    })
    .execute()
}

export const insertRefreshToken = async (
  db: WriteDb,
  tokenHash: string,
  sessionId: string,
  at: string,
): Promise<void> => {
  await db
    .insertInto('refresh_token')
    .values({ token_hash: tokenHash, session_id: sessionId, created_at: at, rotated_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export const selectRefreshToken = (db: ReadDb, tokenHash: string) =>
  db
    .selectFrom('refresh_token')
    .innerJoin('session', 'session.id', 'refresh_token.session_id')
    .select([
      'refresh_token.created_at as createdAt',
      'refresh_token.rotated_at as rotatedAt',
      'session.id as sessionId',
      'session.user_id as userId',
      'session.ended_at as endedAt',
    ])
    .where('refresh_token.token_hash', '=', tokenHash)
    .executeTakeFirst()

/** False when somebody else was first. */
export const markRotated = async (db: WriteDb, tokenHash: string, at: string): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('refresh_token')
    .set({ rotated_at: at })
    .where('token_hash', '=', tokenHash)
    .where('rotated_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export const updateEnded = async (
  db: WriteDb,
  which: {
    readonly userId: string
    readonly sessionId?: string
    readonly exceptId?: string | undefined
    readonly usedBefore?: string
  },
  at: string,
): Promise<boolean> => {
  let query = db
    .updateTable('session')
    .set({ ended_at: at })
    .where('user_id', '=', which.userId)
    .where('ended_at', 'is', null)
  if (which.sessionId !== undefined) query = query.where('id', '=', which.sessionId)
  if (which.exceptId !== undefined) query = query.where('id', '!=', which.exceptId)
  if (which.usedBefore !== undefined) query = query.where('last_used_at', '<', which.usedBefore)
  const { numUpdatedRows } = await query.executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** It says, for each kind of session, when one must have been used last to be still alive. */
export type UsedAfter = Readonly<Record<SessionKind, string>>

const isInUse =
  (usedAfter: UsedAfter) =>
  (eb: ExpressionBuilder<Schema, 'session'>): Expression<SqlBool> =>
    eb.or(
      Object.entries(usedAfter).map(([kind, time]) =>
        eb.and([eb('kind', '=', kind as SessionKind), eb('last_used_at', '>', time)]),
      ),
    )

/** It finds the newest session of one application at one place that has not ended. */
export const selectSessionLike = async (
  db: ReadDb,
  like: Pick<NewSession, 'userId' | 'kind' | 'userAgent' | 'network' | 'apiKeyId'>,
  usedAfter: string,
): Promise<string | undefined> => {
  const row = await db
    .selectFrom('session')
    .select('id')
    .where('user_id', '=', like.userId)
    .where('ended_at', 'is', null)
    .where('last_used_at', '>', usedAfter)
    .where('kind', '=', like.kind)
    .where('network', '=', like.network)
    .where('user_agent', 'is not distinct from', like.userAgent)
    .where('api_key_id', 'is not distinct from', like.apiKeyId)
    .orderBy('last_used_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

export const selectLiveSessions = async (
  db: ReadDb,
  userId: string,
  usedAfter: UsedAfter,
  limit: number,
): Promise<Omit<SessionDto, 'current'>[]> =>
  db
    .selectFrom('session')
    .select([
      'id',
      'device_name as deviceName',
      'user_agent as userAgent',
      'ip',
      'created_at as createdAt',
      'last_used_at as lastUsedAt',
    ])
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .where(isInUse(usedAfter))
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/** When the session that is `rank`-th by last use was last used. */
export const selectLastUseOfRank = async (db: ReadDb, userId: string, rank: number): Promise<string | undefined> => {
  const row = await db
    .selectFrom('session')
    .select('last_used_at')
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .orderBy('last_used_at', 'desc')
    .limit(1)
    .offset(rank - 1)
    .executeTakeFirst()
  return row?.last_used_at
}

const sessionOwner = (db: ReadDb) =>
  db
    .selectFrom('session')
    .select(['id', 'user_id as userId', 'last_used_at as lastUsedAt', 'kind', 'client', 'api_key_id as apiKeyId'])
    .where('ended_at', 'is', null)

export const selectSessionById = (db: ReadDb, id: string) => sessionOwner(db).where('id', '=', id).executeTakeFirst()

/** It returns the client that used the key last. */
export const selectClientOfKey = async (db: ReadDb, apiKeyId: string): Promise<string | null | undefined> => {
  const row = await db
    .selectFrom('session')
    .select('client')
    .where('api_key_id', '=', apiKeyId)
    .where('client', 'is not', null)
    .orderBy('last_used_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.client
}

export const updateSessionClient = async (
  db: WriteDb,
  id: string,
  { client, userAgent }: { readonly client: string; readonly userAgent: string | null },
): Promise<void> => {
  await db
    .updateTable('session')
    .set(({ fn, ref, val }) => ({ client, user_agent: fn.coalesce(ref('user_agent'), val(userAgent)) }))
    .where('id', '=', id)
    .where('kind', '<>', 'own')
    .where('client', 'is', null)
    .execute()
}

/** It returns those of `ids` that have not ended and were used after that time. */
export const selectLiveIds = async (db: ReadDb, ids: readonly string[], usedAfter: UsedAfter): Promise<string[]> => {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('session')
    .select('id')
    .where('id', 'in', ids)
    .where('ended_at', 'is', null)
    .where(isInUse(usedAfter))
    .execute()
  return rows.map(({ id }) => id)
}

export const selectSessionByCookie = (db: ReadDb, cookieHash: string) =>
  sessionOwner(db).where('cookie_hash', '=', cookieHash).executeTakeFirst()

export const hasSignedInFrom = async (db: ReadDb, userId: string, network: string): Promise<boolean> => {
  const row = await db
    .selectFrom('session')
    .select('id')
    .where('user_id', '=', userId)
    .where('network', '=', network)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** It deletes sessions last used before that time, with their refresh tokens, a few at a time. */
export const deleteSessionsBefore = async (
  db: WriteDb,
  { usedBefore, longUsedBefore }: { readonly usedBefore: string; readonly longUsedBefore: string },
  limit: number,
): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom('session')
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('session')
        .select('id')
        .where('last_used_at', '<', usedBefore)
        // They go on for longer than others are remembered.
        .where(({ or, eb }) => or([eb('kind', '!=', 'compat_remembered'), eb('last_used_at', '<', longUsedBefore)]))
        .orderBy('last_used_at')
        .limit(limit),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

export const deleteRefreshTokensBefore = async (db: WriteDb, createdBefore: string, limit: number): Promise<number> => {
  const { numDeletedRows } = await db
    .deleteFrom('refresh_token')
    .where('token_hash', 'in', ({ selectFrom }) =>
      selectFrom('refresh_token')
        .select('token_hash')
        .where('created_at', '<', createdBefore)
        .orderBy('created_at')
        .limit(limit),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

export const updateSessionsLastUsed = async (db: WriteDb, ids: readonly string[], at: string): Promise<void> => {
  await db
    .updateTable('session')
    .set({ last_used_at: at })
    .where('id', 'in', ids)
    .where('last_used_at', '<', at)
    .execute()
}
