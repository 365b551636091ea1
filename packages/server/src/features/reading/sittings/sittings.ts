import type { FileFormat } from '@carrel/api'
import { inOrder } from '../log/fold.ts'
import type { ReadingTables } from '../table.ts'
import type { PageClaim } from './coverage.ts'

/** A fact of the log, as the figures need it. */
export interface CountedFact {
  readonly id: string
  readonly kind: ReadingTables['reading_session']['kind']
  readonly source: ReadingTables['reading_session']['source']
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

/** It is a completion outside of any sitting: the user has entered its time. */
export interface StatedCompletion {
  readonly id: string
  readonly completedAt: string
  readonly about: ReadAbout
}

/** The figures count these: a sitting, or a completion that belongs to no sitting. */
export interface Sitting {
  readonly id: string
  readonly isSitting: boolean
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

/** Writes of one device no further apart than this belong to one sitting. */
export const adjoinMs = 5 * 60 * 1000

/** Pressing a button is not reading. */
const isReading = ({ kind, source }: CountedFact): boolean =>
  kind !== 'reset' && source !== 'mark' && source !== 'restore'

/**
 * It holds only for devices that cannot measure, when each of their writes is a page turned: the time between two
 * writes was spent reading.
 */
export const infers = ({ deviceId, source, activeMs }: CountedFact): boolean =>
  activeMs === null && source !== 'session' && source !== 'import' && /^(?:apikey|ua|koreader):/.test(deviceId)

/**
 * The sittings that facts of one user and book come to, which is a function of their set. Facts more than `adjoinMs`
 * away from all of these change nothing about them.
 */
export const sittingsOf = (
  facts: readonly CountedFact[],
  completionIds: ReadonlySet<string>,
  stated: readonly StatedCompletion[],
): Sitting[] => {
  let readings = 0
  const perDevice = new Map<string, CountedFact[]>()
  const alone: Sitting[] = stated.map(aloneFromStated)
  for (const fact of inOrder(facts)) {
    if (fact.kind === 'reset') readings += 1
    else if (isReading(fact)) {
      const key = `${readings} ${fact.deviceId}`
      const known = perDevice.get(key)
      if (known) known.push(fact)
      else perDevice.set(key, [fact])
    } else if (completionIds.has(fact.id)) alone.push(aloneFromFact(fact))
  }
  const sittings = [...perDevice.values()].flatMap((own) => chained(absorbed(own)))
  return [...sittings.map((chain) => sittingFrom(chain, completionIds)), ...alone].sort(
    (one, other) => compare(one.startedAt, other.startedAt) || compare(one.id, other.id),
  )
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

/** It is a fact together with those that only report a position within it. */
interface Unit {
  readonly fact: CountedFact
  readonly absorbed: readonly CountedFact[]
  readonly start: number
  readonly end: number
  readonly kind: CountedFact['kind']
}

/** A mere position saved while somebody measures, or shortly after, is no sitting of its own and has no time. */
const absorbed = (facts: readonly CountedFact[]): Unit[] => {
  const measured = facts
    .filter(({ activeMs }) => activeMs !== null)
    .toSorted((one, other) => compare(one.startedAt, other.startedAt) || compare(one.id, other.id))
  const guests = new Map<CountedFact, CountedFact[]>(measured.map((fact) => [fact, []]))
  const others: CountedFact[] = []
  for (const fact of facts) {
    if (fact.activeMs !== null) continue
    const at = Date.parse(fact.at)
    const host = measured.findLast((each) => each.startedAt <= fact.at && at <= Date.parse(each.at) + adjoinMs)
    if (host) guests.get(host)?.push(fact)
    else others.push(fact)
  }
  return [...[...guests].map(([fact, own]) => unitFrom(fact, own)), ...others.map((fact) => unitFrom(fact, []))].sort(
    (one, other) =>
      one.start - other.start || compare(one.fact.at, other.fact.at) || compare(one.fact.id, other.fact.id),
  )
}

const unitFrom = (fact: CountedFact, guests: readonly CountedFact[]): Unit => ({
  fact,
  absorbed: guests,
  start: Date.parse(fact.startedAt),
  end: Math.max(Date.parse(fact.at), ...guests.map(({ at }) => Date.parse(at))),
  kind: guests.some(({ kind }) => kind === 'completed') ? 'completed' : fact.kind,
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
    if (infers(last.fact) && infers(unit.fact)) chain.inferredMs += Math.max(0, unit.start - chain.end)
    chain.units.push(unit)
    chain.end = Math.max(chain.end, unit.end)
  }
  return chains
}

const sittingFrom = ({ units, end, inferredMs }: Chain, completionIds: ReadonlySet<string>): Sitting => {
  const facts = units.flatMap((unit) => [unit.fact, ...unit.absorbed])
  const [first] = units
  if (!first) throw new Error('A sitting has a beginning')
  const measured = facts.flatMap(({ activeMs }) => activeMs ?? [])
  return {
    id: first.fact.id,
    isSitting: true,
    startedAt: first.fact.startedAt,
    endedAt: new Date(end).toISOString(),
    deviceId: first.fact.deviceId,
    about: first.fact.about,
    measuredMs: measured.length === 0 ? null : measured.reduce((sum, each) => sum + each, 0),
    inferredMs,
    claims: facts.flatMap(({ pagesRead, page, pageCount }) =>
      pagesRead === null ? [] : { pagesRead, toPage: page, pageCount },
    ),
    finishes: facts.some(({ finishes }) => finishes),
    completions: facts.filter(({ id }) => completionIds.has(id)).length,
  }
}

const alone = { isSitting: false, measuredMs: null, inferredMs: 0, claims: [], completions: 1 } as const

const aloneFromFact = ({ id, at, deviceId, about, finishes }: CountedFact): Sitting => ({
  ...alone,
  id,
  startedAt: at,
  endedAt: at,
  deviceId,
  about,
  finishes,
})

/** Reading elsewhere or long ago says nothing about the pages read here. */
const aloneFromStated = ({ id, completedAt, about }: StatedCompletion): Sitting => ({
  ...alone,
  // Clients choose the ids of facts: this cannot be one of them.
  id: `stated ${id}`,
  startedAt: completedAt,
  endedAt: completedAt,
  deviceId: 'unknown',
  about,
  finishes: false,
})
