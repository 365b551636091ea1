import type { Database, WriteDb } from '../../database/database.ts'
import { newId } from '../../platform/ids.ts'
import { BoundedMap } from '../../platform/memory/bounded-map.ts'
import type { Log } from '../../platform/log.ts'
import { nameKey } from '../../platform/text/sort-key.ts'
import { sha256 } from '../../platform/secrets/tokens.ts'
import { type NewActivity, selectKeyNames, selectUserIds, selectUserIdsByName, upsertActivity } from './queries.ts'

export interface Activity {
  readonly source: 'password' | 'api_key' | 'remember_me' | `oidc:${string}`
  readonly ip: string
  readonly userAgent: string | null
  readonly userId?: string
  readonly apiKeyId?: string
  /** It is the typed name, when the sign-in failed. */
  readonly typedName?: string
  /** It is a sentence; absent when the sign-in succeeded. */
  readonly error?: string
  /** Such credentials come with every request: there is one row for each hour, not for each time. */
  readonly isRepeated: boolean
}

export interface SignInRecorder {
  note(activity: Activity): void
  /** It writes what is still to be written. */
  flush(): Promise<void>
}

const hourMs = 60 * 60 * 1000
const gatherMs = 1000
const stampEveryMs = 5 * 60 * 1000
const rememberedMax = 20_000
const pendingMax = 2000
/** The limit holds for each process. Whoever fails from thousands of addresses fills neither the disk nor the list. */
const failuresPerHourMax = 2000
const typedNameMax = 254
const userAgentMax = 500

/** It records who signs in and who fails to: many in one write, soon after; nobody waits for it. */
export const recordSignIns = (db: Database, log: Log, clock: () => Date): SignInRecorder => {
  const stampedAt = new BoundedMap<number>(rememberedMax)
  let pending = new Map<string, NewActivity>()
  let failures = { hour: 0, count: 0 }
  let timer: NodeJS.Timeout | undefined

  const isOneTooMany = (hour: number): boolean => {
    failures = { hour, count: failures.hour === hour ? failures.count + 1 : 1 }
    return failures.count > failuresPerHourMax
  }

  const flush = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    const rows = [...pending.values()]
    pending = new Map()
    if (rows.length === 0) return
    try {
      await db.write(async (db) => upsertActivity(db, await withOwners(db, rows)))
    } catch (err) {
      log.warn({ err, rows: rows.length }, 'Some sign-ins could not be written down')
    }
  }

  return {
    note: (activity) => {
      const now = clock()
      const hour = Math.floor(now.getTime() / hourMs)
      const key = activity.isRepeated ? foldKeyOf(activity, hour) : newId(now.getTime())
      const last = stampedAt.get(key)
      if (last !== undefined && now.getTime() - last < stampEveryMs) return
      if (pending.size >= pendingMax || (activity.error !== undefined && isOneTooMany(hour))) return
      if (activity.isRepeated) stampedAt.set(key, now.getTime())
      pending.set(key, toRow(activity, key, now))
      timer ??= setTimeout(() => void flush(), gatherMs).unref()
    },
    flush,
  }
}

const foldKeyOf = (activity: Activity, hour: number): string => {
  const { source, ip, userAgent, userId, apiKeyId, typedName, error } = activity
  return sha256(JSON.stringify([hour, source, ip, userAgent, userId, apiKeyId, typedName, error]))
}

const toRow = ({ userId, apiKeyId, typedName, ...activity }: Activity, foldKey: string, now: Date): NewActivity => ({
  id: newId(now.getTime()),
  fold_key: foldKey,
  user_id: userId ?? null,
  typed_name: typedName?.trim().slice(0, typedNameMax).toWellFormed().replaceAll('\u0000', '') ?? null,
  api_key_id: apiKeyId ?? null,
  api_key_name: null,
  source: activity.source,
  error: activity.error ?? null,
  ip: activity.ip,
  user_agent: activity.userAgent?.slice(0, userAgentMax) ?? null,
  first_at: now.toISOString(),
  last_at: now.toISOString(),
})

/** An attempt with a name counts for the user with that name. */
const withOwners = async (db: WriteDb, rows: readonly NewActivity[]): Promise<NewActivity[]> => {
  const typed = rows.flatMap(({ typed_name }) => typed_name ?? [])
  const byName = await selectUserIdsByName(db, typed)
  const users = await selectUserIds(db, [...new Set(rows.flatMap(({ user_id }) => user_id ?? []))])
  const keys = await selectKeyNames(db, [...new Set(rows.flatMap(({ api_key_id }) => api_key_id ?? []))])
  return rows.flatMap((row) => {
    if (row.user_id != null && !users.has(row.user_id)) return []
    const { typed_name: name, api_key_id: keyId } = row
    const owner = row.user_id ?? (name == null ? undefined : byName.get(nameKey(name)))
    const keyName = keyId == null ? undefined : keys.get(keyId)
    return [
      {
        ...row,
        user_id: owner ?? null,
        api_key_id: keyName === undefined ? null : (keyId ?? null),
        api_key_name: keyName ?? null,
      },
    ]
  })
}
