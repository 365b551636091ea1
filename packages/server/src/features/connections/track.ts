import { type Connection, type ConnectionRequest, connectionRequestsMax, type ConnectionTrouble } from '@carrel/api'
import type { Database, WriteDb } from '../../database/database.ts'
import type { Log } from '../../platform/log.ts'
import { selectUserByName } from '../users/users.ts'
import {
  type ConnectionRow,
  deleteOldConnections,
  saveConnections,
  selectConnectionsOf,
  selectStandingUsers,
} from './queries.ts'
import type { ConnectionTables } from './table.ts'

/** One request that came in by a door. */
export interface Visit {
  readonly who: { readonly userId: string } | { readonly nameTried: string }
  readonly door: Connection['door']
  readonly app: string | null
  readonly by: { readonly kind: ConnectionTables['connection']['by_kind']; readonly id: string | null }
  readonly request: Omit<ConnectionRequest, 'count'>
  readonly trouble: Omit<ConnectionTrouble, 'at'> | undefined
}

export interface ConnectionTracking {
  note(visit: Visit): void
  /** It writes what is still to be written. */
  flush(): Promise<void>
}

const gatherMs = 5000
/** This many wait to be written; further ones are dropped. */
const pendingMax = 1000
const namesMax = 50
const keptMax = 50

interface Pending {
  readonly visit: Visit
  requests: readonly ConnectionRequest[]
  trouble: ConnectionTrouble | undefined
}

/** It records the requests of applications, many in one write, and nobody waits for it. */
export const trackConnections = (db: Database, log: Log): ConnectionTracking => {
  let pending = new Map<string, Pending>()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()

  const flush = (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    const seen = [...pending.values()]
    pending = new Map()
    if (seen.length === 0) return writing
    writing = writing
      .then(() => write(db, seen))
      .catch((err: unknown) => log.warn({ err }, 'What some applications did could not be recorded'))
    return writing
  }

  return {
    note: (visit) => {
      const whose = 'userId' in visit.who ? visit.who.userId : `@${visit.who.nameTried}`
      const key = `${whose} ${idOf(visit)}`
      const waiting = pending.get(key)
      if (!waiting && pending.size >= pendingMax) return
      pending.set(key, {
        visit,
        requests: withRequest(waiting?.requests ?? [], visit.request),
        trouble: visit.trouble ? { at: visit.request.at, ...visit.trouble } : waiting?.trouble,
      })
      timer ??= setTimeout(() => void flush(), gatherMs).unref()
    },
    flush,
  }
}

/** All clients that fail to sign in count as one, whatever they call themselves: they must not push out the others. */
const idOf = ({ door, by, app }: Visit): string =>
  by.kind === 'nobody' ? `${door} nobody` : [door, by.kind, by.id ?? '-', app ?? ''].join(' ')

const withRequest = (
  earlier: readonly ConnectionRequest[],
  request: Omit<ConnectionRequest, 'count'>,
): readonly ConnectionRequest[] => {
  const [last, ...rest] = earlier
  return last && kindOf(last) === kindOf(request)
    ? [{ ...request, count: last.count + 1 }, ...rest]
    : [{ ...request, count: 1 }, ...earlier].slice(0, connectionRequestsMax)
}

/** The newest of what was there before may go on as the oldest of what came since. */
const withEarlier = (
  since: readonly ConnectionRequest[],
  before: readonly ConnectionRequest[],
): readonly ConnectionRequest[] => {
  const [oldest, newest] = [since.at(-1), before[0]]
  if (!oldest || !newest || kindOf(oldest) !== kindOf(newest)) return [...since, ...before]
  return [...since.slice(0, -1), { ...oldest, count: oldest.count + newest.count }, ...before.slice(1)]
}

/** A grid of covers is one line: what differs in their addresses are ids and numbers. */
const kindOf = ({ method, path, status }: Omit<ConnectionRequest, 'count' | 'at'>): string =>
  `${method} ${status} ${path.replaceAll(/\/(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\d+)(?=\/|$)/gi, '/-')}`

const write = async (db: Database, seen: readonly Pending[]): Promise<void> => {
  const owners = await ownersOf(db, seen)
  const userIds = [...new Set(owners.values())].sort()
  if (userIds.length === 0) return
  await db.write(async (db) => {
    const standing = await selectStandingUsers(db, userIds)
    const rows = await rowsFrom(db, seen, owners)
    await saveConnections(
      db,
      rows.filter(({ user_id }) => standing.has(user_id)),
    )
    await deleteOldConnections(db, userIds, keptMax)
  })
}

/** A name that was tried counts only when it is somebody's; and no more of them are looked up at once than a few. */
const ownersOf = async (db: Database, seen: readonly Pending[]): Promise<ReadonlyMap<Pending, string>> => {
  const owners = new Map<Pending, string>()
  let names = 0
  for (const each of seen) {
    const { who } = each.visit
    if ('userId' in who) owners.set(each, who.userId)
    else if ((names += 1) <= namesMax) {
      const user = await selectUserByName(db.read, who.nameTried)
      if (user) owners.set(each, user.id)
    }
  }
  return owners
}

const rowsFrom = async (
  db: WriteDb,
  seen: readonly Pending[],
  owners: ReadonlyMap<Pending, string>,
): Promise<ConnectionRow[]> => {
  const stored = await selectConnectionsOf(db, [...new Set(owners.values())])
  const rows = new Map(stored.map((row) => [`${row.user_id} ${row.id}`, row]))
  const changed = new Map<string, ConnectionRow>()
  for (const [each, userId] of owners) {
    const id = idOf(each.visit)
    const key = `${userId} ${id}`
    const row = rowFrom(each, { userId, id }, changed.get(key) ?? rows.get(key))
    changed.set(key, row)
  }
  return [...changed.values()]
}

const rowFrom = (
  { visit, requests, trouble }: Pending,
  { userId, id }: { readonly userId: string; readonly id: string },
  row: ConnectionRow | undefined,
): ConnectionRow => {
  const before = row ? (JSON.parse(row.requests) as ConnectionRequest[]) : []
  return {
    user_id: userId,
    id,
    door: visit.door,
    app: visit.app,
    by_kind: visit.by.kind,
    by_id: visit.by.id,
    used_at: visit.request.at,
    requests: JSON.stringify(withEarlier(requests, before).slice(0, connectionRequestsMax)),
    trouble: trouble ? JSON.stringify(trouble) : (row?.trouble ?? null),
  }
}
