import type { ListAnswer, SignInActivityDto } from '@carrel/api'
import type { ReadDb } from '../../database/database.ts'
import type { Paging } from '../../platform/paging.ts'
import { type ActivityFilter, type ActivityRow, countActivity, selectActivity } from './queries.ts'

export { type Activity, recordSignIns, type SignInRecorder } from './recorder.ts'
export type { ActivityFilter, ActivityRow } from './queries.ts'

type Part = Pick<Paging, 'limit' | 'offset'>

/** The newest entry comes first. */
export const readActivity = async (
  db: ReadDb,
  filter: ActivityFilter,
  part: Part,
): Promise<{ total: number; rows: ActivityRow[] }> => {
  const total = await countActivity(db, filter)
  return { total, rows: part.offset < total ? await selectActivity(db, filter, part) : [] }
}

/** A typed name may be a password in the wrong field: `showsTyped` is for administrators. */
export const listActivity = async (
  db: ReadDb,
  filter: ActivityFilter,
  { showsTyped, ...part }: Part & { readonly showsTyped: boolean },
): Promise<ListAnswer<SignInActivityDto>> => {
  const { total, rows } = await readActivity(db, filter, part)
  return { total, data: rows.map((row) => toDto(row, showsTyped)) }
}

const toDto = (row: ActivityRow, showsTyped: boolean): SignInActivityDto => ({
  id: row.id,
  userId: row.user_id,
  username: row.username,
  typedName: showsTyped ? row.typed_name : null,
  apiKeyId: row.api_key_id,
  apiKeyName: row.api_key_name,
  source: row.source,
  success: row.error === null,
  error: row.error,
  ip: row.ip,
  userAgent: row.user_agent,
  firstAt: row.first_at,
  lastAt: row.last_at,
})
