import type { SessionDto } from '@carrel/api'
import type { CompatActivity } from '@carrel/api/doors'
import type { Context } from '../../../context.ts'
import { listSessions } from '../../../features/sessions/sessions.ts'
import type { Caller } from '../../../http/caller.ts'
import { type PageAsked, pageEnvelope } from '../page.ts'
import { type Spelling, timestamp } from '../spelling.ts'

/** What those apps call activity are our sessions: where somebody has signed in, and when. */
export const listActivity = async (
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  caller: Caller,
  asked: PageAsked,
  { outId }: Spelling,
) => {
  const sessions = await listSessions(db.read, caller.userId, undefined, clock())
  const { page, size, unpaged } = asked
  const shown = unpaged ? sessions : sessions.slice(page * size, (page + 1) * size)
  const content = shown.map((session) => toActivity(session, caller, outId))
  return pageEnvelope(content, sessions.length, asked, true)
}

const toActivity = (
  { ip, userAgent, createdAt }: SessionDto,
  { userId, username }: Caller,
  outId: Spelling['outId'],
): CompatActivity => ({
  userId: outId(userId),
  email: username,
  apiKeyId: null,
  apiKeyComment: null,
  ip,
  userAgent,
  success: true,
  error: null,
  dateTime: timestamp(createdAt),
  source: null,
})

export const latestActivity = async (
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  caller: Caller,
  { outId }: Spelling,
): Promise<CompatActivity | undefined> => {
  const [latest] = await listSessions(db.read, caller.userId, undefined, clock())
  return latest && { ...toActivity(latest, caller, outId), dateTime: timestamp(latest.lastUsedAt) }
}
