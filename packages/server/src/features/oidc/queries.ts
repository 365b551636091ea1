import type { Selectable } from 'kysely'
import type { ReadDb, WriteDb } from '../../database/database.ts'
import type { OidcTables } from './table.ts'

export interface BegunSignIn {
  readonly stateHash: string
  readonly provider: string
  readonly browserHash: string | null
  readonly redirectUri: string | null
  readonly returnTo: string
  readonly expiresAt: string
}

export const insertBegun = async (db: WriteDb, begun: BegunSignIn): Promise<void> => {
  await db
    .insertInto('oidc_sign_in')
    .values({
      state_hash: begun.stateHash,
      provider: begun.provider,
      browser_hash: begun.browserHash,
      redirect_uri: begun.redirectUri,
      return_to: begun.returnTo,
      expires_at: begun.expiresAt,
    })
    .execute()
}

/** One statement, so that of many who come with the same state one has it. Who may not have it takes nothing. */
export const takeBegun = async (
  db: WriteDb,
  { stateHash, provider, browserHash }: Pick<BegunSignIn, 'stateHash' | 'provider' | 'browserHash'>,
): Promise<BegunSignIn | undefined> => {
  const row = await db
    .deleteFrom('oidc_sign_in')
    .where('state_hash', '=', stateHash)
    .where('provider', '=', provider)
    .where(({ eb, or }) => or([eb('browser_hash', 'is', null), eb('browser_hash', '=', browserHash ?? '')]))
    .returningAll()
    .executeTakeFirst()
  return row && toBegun(row)
}

/** When the one expires that as many come after; undefined while there are fewer. */
export const selectExpiryOfRank = async (db: ReadDb, rank: number): Promise<string | undefined> => {
  const row = await db
    .selectFrom('oidc_sign_in')
    .select('expires_at')
    .orderBy('expires_at', 'desc')
    .limit(1)
    .offset(rank)
    .executeTakeFirst()
  return row?.expires_at
}

export const deleteBegunUntil = async (db: WriteDb, time: string): Promise<void> => {
  await db.deleteFrom('oidc_sign_in').where('expires_at', '<=', time).execute()
}

export interface Identity {
  readonly provider: string
  readonly issuer: string
  readonly subject: string
}

export const selectUserIdOf = async (
  db: ReadDb,
  { provider, issuer, subject }: Identity,
): Promise<string | undefined> => {
  const row = await db
    .selectFrom('oidc_identity')
    .select('user_id')
    .where('provider', '=', provider)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row?.user_id
}

/** It returns whether this user has an identity at this provider already. */
export const hasIdentity = async (
  db: ReadDb,
  userId: string,
  { provider, issuer }: Pick<Identity, 'provider' | 'issuer'>,
): Promise<boolean> => {
  const row = await db
    .selectFrom('oidc_identity')
    .select('subject')
    .where('user_id', '=', userId)
    .where('provider', '=', provider)
    .where('issuer', '=', issuer)
    .executeTakeFirst()
  return row !== undefined
}

export const insertIdentity = async (
  db: WriteDb,
  { provider, issuer, subject }: Identity,
  userId: string,
  at: string,
): Promise<void> => {
  await db.insertInto('oidc_identity').values({ provider, issuer, subject, user_id: userId, created_at: at }).execute()
}

const toBegun = (row: Selectable<OidcTables['oidc_sign_in']>): BegunSignIn => ({
  stateHash: row.state_hash,
  provider: row.provider,
  browserHash: row.browser_hash,
  redirectUri: row.redirect_uri,
  returnTo: row.return_to,
  expiresAt: row.expires_at,
})
