import type { FileFormat } from '@carrel/api'
import { inOrder } from '../log/fold.ts'
import type { ReadingTables } from '../table.ts'
import type { PageClaim } from './coverage.ts'

/** An entry of the log, as the figures need it. */
export interface CountedEntry {
  readonly id: string
  readonly kind: ReadingTables['reading_log']['kind']
  readonly source: ReadingTables['reading_log']['source']
  readonly deviceId: string
  readonly startedAt: string
  readonly at: string
  readonly activeMs: number | null
  readonly pagesRead: number | null
  readonly page: number | null
  readonly pageCount: number | null
  readonly finishes: boolean
  readonly about: ReadAbout
}

/** It describes the book as it was then. */
interface ReadAbout {
  readonly seriesId: string
  readonly seriesName: string
  readonly format: FileFormat
}

/** It is a completion outside of any session: the user has entered its time. */
export interface StatedCompletion {
  readonly id: string
  readonly completedAt: string
  readonly about: ReadAbout
}

/** The figures count these: a session, or a completion that belongs to no session. */
export interface ReadingSession {
  readonly id: string
  readonly isSession: boolean
  readonly startedAt: string
  readonly endedAt: string
  readonly deviceId: string
  readonly about: ReadAbout
  /** Null: no client has measured any of it. */
  readonly measuredMs: number | null
  readonly inferredMs: number
  readonly claims: readonly PageClaim[]
  readonly finishes: boolean
  readonly completions: number
}

/** Writes of one device no further apart than this belong to one session. */
export const adjoinMs = 5 * 60 * 1000

/** Pressing a button is not reading. */
const isReading = ({ kind, source }: CountedEntry): boolean =>
  kind !== 'reset' && source !== 'mark' && source !== 'restore'

/**
 * It holds only for devices that cannot measure, when each of their writes is a page turned: the time between two
 * writes was spent reading.
 */
export const infers = ({ deviceId, source, activeMs }: CountedEntry): boolean =>
  activeMs === null && source !== 'session' && source !== 'import' && /^(?:apikey|ua|koreader):/.test(deviceId)

/**
 * The sessions that entries of one user and book come to, which is a function of their set. Entries more than `adjoinMs`
 * away from all of these change nothing about them.
 */
export const sessionsOf = (
  entries: readonly CountedEntry[],
  completionIds: ReadonlySet<string>,
  stated: readonly StatedCompletion[],
): ReadingSession[] => {
  let readings = 0
  const perDevice = new Map<string, CountedEntry[]>()
  const alone: ReadingSession[] = stated.map(aloneFromStated)
  for (const entry of inOrder(entries)) {
    if (entry.kind === 'reset') readings += 1
    else if (isReading(entry)) {
      const key = `${readings} ${entry.deviceId}`
      const earlier = perDevice.get(key)
      if (earlier) earlier.push(entry)
      else perDevice.set(key, [entry])
    } else if (completionIds.has(entry.id)) alone.push(aloneFromEntry(entry))
  }
  const sessions = [...perDevice.values()].flatMap((own) => chained(absorbed(own)))
  return [...sessions.map((chain) => sessionFrom(chain, completionIds)), ...alone].sort(
    (one, other) => compare(one.startedAt, other.startedAt) || compare(one.id, other.id),
  )
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** It is an entry together with those that only report a position within it. */
interface Unit {
  readonly entry: CountedEntry
  readonly absorbed: readonly CountedEntry[]
  readonly start: number
  readonly end: number
  readonly kind: CountedEntry['kind']
}

/** A mere position saved while somebody measures, or shortly after, is no session of its own and has no time. */
const absorbed = (entries: readonly CountedEntry[]): Unit[] => {
  const measured = entries
    .filter(({ activeMs }) => activeMs !== null)
    .toSorted((one, other) => compare(one.startedAt, other.startedAt) || compare(one.id, other.id))
  const guests = new Map<CountedEntry, CountedEntry[]>(measured.map((entry) => [entry, []]))
  const others: CountedEntry[] = []
  for (const entry of entries) {
    if (entry.activeMs !== null) continue
    const at = Date.parse(entry.at)
    const host = measured.findLast((each) => each.startedAt <= entry.at && at <= Date.parse(each.at) + adjoinMs)
    if (host) guests.get(host)?.push(entry)
    else others.push(entry)
  }
  return [
    ...[...guests].map(([entry, own]) => unitFrom(entry, own)),
    ...others.map((entry) => unitFrom(entry, [])),
  ].sort(
    (one, other) =>
      one.start - other.start || compare(one.entry.at, other.entry.at) || compare(one.entry.id, other.entry.id),
  )
}

const unitFrom = (entry: CountedEntry, guests: readonly CountedEntry[]): Unit => ({
  entry,
  absorbed: guests,
  start: Date.parse(entry.startedAt),
  end: Math.max(Date.parse(entry.at), ...guests.map(({ at }) => Date.parse(at))),
  kind: guests.some(({ kind }) => kind === 'completed') ? 'completed' : entry.kind,
})

interface Chain {
  readonly units: Unit[]
  end: number
  inferredMs: number
}

/** It chains adjoining units; a completion entered by the user ends the chain. */
const chained = (units: readonly Unit[]): Chain[] => {
  const chains: Chain[] = []
  for (const unit of units) {
    const chain = chains.at(-1)
    const last = chain?.units.at(-1)
    if (!chain || !last || last.kind === 'completed' || unit.start > chain.end + adjoinMs) {
      chains.push({ units: [unit], end: unit.end, inferredMs: 0 })
      continue
    }
    if (infers(last.entry) && infers(unit.entry)) chain.inferredMs += Math.max(0, unit.start - chain.end)
    chain.units.push(unit)
    chain.end = Math.max(chain.end, unit.end)
  }
  return chains
}

const sessionFrom = ({ units, end, inferredMs }: Chain, completionIds: ReadonlySet<string>): ReadingSession => {
  const entries = units.flatMap((unit) => [unit.entry, ...unit.absorbed])
  const [first] = units
  if (!first) throw new Error('A session has a beginning')
  const measured = entries.flatMap(({ activeMs }) => activeMs ?? [])
  return {
    id: first.entry.id,
    isSession: true,
    startedAt: first.entry.startedAt,
    endedAt: new Date(end).toISOString(),
    deviceId: first.entry.deviceId,
    about: first.entry.about,
    measuredMs: measured.length === 0 ? null : measured.reduce((sum, each) => sum + each, 0),
    inferredMs,
    claims: entries.flatMap(({ pagesRead, page, pageCount }) =>
      pagesRead === null ? [] : { pagesRead, toPage: page, pageCount },
    ),
    finishes: entries.some(({ finishes }) => finishes),
    completions: entries.filter(({ id }) => completionIds.has(id)).length,
  }
}

const alone = { isSession: false, measuredMs: null, inferredMs: 0, claims: [], completions: 1 } as const

const aloneFromEntry = ({ id, at, deviceId, about, finishes }: CountedEntry): ReadingSession => ({
  ...alone,
  id,
  startedAt: at,
  endedAt: at,
  deviceId,
  about,
  finishes,
})

/** Reading elsewhere or long ago says nothing about the pages read here. */
const aloneFromStated = ({ id, completedAt, about }: StatedCompletion): ReadingSession => ({
  ...alone,
  // Clients choose the ids of entries: this cannot be one of them.
  id: `stated ${id}`,
  startedAt: completedAt,
  endedAt: completedAt,
  deviceId: 'unknown',
  about,
  finishes: false,
})
