import type { CompatActivity } from '@carrel/api/doors'
import type { Context } from '../../../context.ts'
import {
  type ActivityFilter,
  type ActivityRow,
  readActivity,
  type SignInRecorder,
} from '../../../features/sign-in-activity/sign-in-activity.ts'
import { type CompatPageQuery, pageEnvelope } from '../page.ts'
import { type Spelling, timestamp } from '../spelling.ts'

export type ActivityDependencies = Pick<Context, 'db'> & { readonly activity: SignInRecorder }

interface Reader {
  /** A typed name may be a password in the wrong field. */
  readonly showsTyped: boolean
  readonly outId: Spelling['outId']
}

const unpagedMax = 2000

/** The newest entry comes first. */
export const listActivity = async (
  { db, activity }: ActivityDependencies,
  filter: ActivityFilter,
  query: CompatPageQuery,
  reader: Reader,
) => {
  await activity.flush()
  const { page, size, unpaged } = query
  const part = unpaged ? { limit: unpagedMax, offset: 0 } : { limit: size, offset: page * size }
  const { total, rows } = await readActivity(db.readSlowly, filter, part)
  const content = rows.map((row) => toActivity(row, reader))
  return pageEnvelope(content, unpaged ? content.length : total, query, true)
}

export const latestActivity = async (
  { db, activity }: ActivityDependencies,
  filter: ActivityFilter,
  reader: Reader,
): Promise<CompatActivity | undefined> => {
  await activity.flush()
  const { rows } = await readActivity(db.read, { ...filter, success: true }, { limit: 1, offset: 0 })
  return rows[0] && toActivity(rows[0], reader)
}

const toActivity = (row: ActivityRow, { showsTyped, outId }: Reader): CompatActivity => ({
  userId: row.user_id === null ? null : outId(row.user_id),
  email: (showsTyped ? row.typed_name : null) ?? row.email ?? row.username,
  apiKeyId: row.api_key_id === null ? null : outId(row.api_key_id),
  apiKeyComment: row.api_key_name,
  ip: row.ip,
  userAgent: row.user_agent,
  success: row.error === null,
  error: row.error,
  dateTime: timestamp(row.last_at),
  source: sourceOf(row.source),
})

const sources: Readonly<Record<string, string>> = {
  password: 'Password',
  api_key: 'ApiKey',
  remember_me: 'RememberMe',
}

const sourceOf = (source: string): string => sources[source] ?? source.replace(/^oidc:/, 'OAuth2:')
