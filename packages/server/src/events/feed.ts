import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ResyncReason } from '@carrel/api'
import type { Database } from '../database/database.ts'
import { selectRevisions } from '../database/revisions.ts'
import type { Log } from '../platform/log.ts'
import { repeat } from '../platform/repeat.ts'
import { selectFacts, selectLastNumber, selectNumberBeforeOldest } from './queries.ts'
import { numbersKept } from './retention.ts'

export type StoredFact = Awaited<ReturnType<typeof selectFacts>>[number]

/** What decides which facts somebody may see, the same for all who may see the same. */
export interface Profile {
  /** Two viewers with equal keys may see the same, except for what is only for one user. */
  readonly key: string
  readonly sees: (fact: StoredFact) => boolean
}

/** Where the events of a subscriber go. */
export interface Sink {
  write(chunk: Buffer): void
  /** Settles when the client has taken what was written, or is gone. */
  drained(): Promise<void>
  /** Writes the last of it and closes. */
  end(): void
}

export interface Subscriber<Viewer> {
  readonly viewer: Viewer
  readonly userId: string
  readonly profile: Profile
  /** Undefined: all. */
  readonly types: ReadonlySet<string> | undefined
  /** With an `event:` line. */
  readonly named: boolean
  readonly sink: Sink
}

interface Subscription<Viewer> extends Subscriber<Viewer> {
  profile: Profile
  /** The number of the last fact that was written, or that there was nothing to write of. */
  position: number
  /** Also gone is a client that was cut while it was still catching up. */
  isGone: boolean
  isLive: boolean
}

/** The last number a client has; or it begins now, or it was cut for being slow and begins anew. */
export type Since = number | 'now' | 'slow'

export interface Start {
  readonly number: number
  readonly resync?: ResyncReason
}

export interface FeedOptions<Viewer> {
  readonly db: Database
  readonly log: Log
  readonly clock: () => Date
  /** What these viewers may see by now; those whose credentials no longer hold are left out. */
  readonly review: (viewers: readonly Viewer[]) => Promise<ReadonlyMap<Viewer, Profile>>
}

export interface Feed<Viewer> {
  /** Where a client begins. Subscribe it before you wait for anything else. */
  startAt(since: Since): Promise<Start>
  /** Answers how to leave. */
  subscribe(subscriber: Subscriber<Viewer>, start: Start): () => void
  readonly size: number
  /** The number up to which everybody who keeps up has been told. */
  readonly position: number
  close(): Promise<void>
}

const batchMax = 500
const lookEveryMs = 1000
const reviewEveryMs = 60_000
/** Writing to a client costs some microseconds; after so many of them others get a turn. */
const clientsPerTurn = 500

/**
 * Follows the outbox and writes each fact to all who may see it. Who may is decided once for each fact and profile; the
 * bytes are the same for all of a profile. A client that comes back reads what it missed from the outbox, at its own pace.
 */
export const openFeed = async <Viewer>({ db, log, clock, review }: FeedOptions<Viewer>): Promise<Feed<Viewer>> => {
  const subscriptions = new Set<Subscription<Viewer>>()
  let position = await selectLastNumber(db.read)
  let reviewedRevision = (await selectRevisions(db.read)).access
  let reviewedAt = performance.now()

  /** Where nobody listens nothing needs to be read. */
  const skip = async (): Promise<void> => {
    const last = await selectLastNumber(db.read)
    if (subscriptions.size === 0) position = Math.max(position, last)
  }

  const leave = (subscription: Subscription<Viewer>): void => {
    subscription.isGone = true
    subscriptions.delete(subscription)
  }

  /** After facts were read and before they are written: whoever lost a right must not hear of what came after. */
  const reviewIfChanged = async (): Promise<void> => {
    const { access } = await selectRevisions(db.read)
    if (access === reviewedRevision && performance.now() - reviewedAt < reviewEveryMs) return
    const reviewed = [...subscriptions]
    const profiles = await review(reviewed.map(({ viewer }) => viewer))
    for (const subscription of reviewed) {
      const profile = profiles.get(subscription.viewer)
      if (!profile) {
        leave(subscription)
        subscription.sink.end()
      } else if (profile.key !== subscription.profile.key) {
        subscription.profile = profile
        subscription.sink.write(streamEvent('resync', { reason: 'access_changed' }, subscription, clock()))
      }
    }
    reviewedRevision = access
    reviewedAt = performance.now()
  }

  const deliver = async (facts: readonly StoredFact[], last: number): Promise<void> => {
    const render = renderer(facts)
    let turn = 0
    for (const subscription of subscriptions) {
      if (!subscription.isLive || subscription.position >= last) continue
      const chunk = render(subscription)
      subscription.position = last
      if (chunk) subscription.sink.write(chunk)
      turn += 1
      if (turn % clientsPerTurn === 0) await nextTurn()
    }
  }

  const look = async (): Promise<void> => {
    for (;;) {
      const facts = subscriptions.size === 0 ? [] : await selectFacts(db.read, { after: position, limit: batchMax })
      if (subscriptions.size === 0) await skip()
      await reviewIfChanged()
      const last = facts.at(-1)?.number
      if (last === undefined || last === null) return
      position = last
      await deliver(facts, last)
      if (facts.length < batchMax) return
    }
  }

  const follower = repeat({ look, everyMs: lookEveryMs, log, trouble: 'Events could not be read; trying again' })
  const stopListening = [db.wakeUps.on('facts', follower.wake), db.wakeUps.on('revisions', follower.wake)]

  /** Until the client stands where all others do. It must not be made to wait in between: it would miss a fact. */
  const catchUp = async (subscription: Subscription<Viewer>): Promise<void> => {
    while (!subscription.isGone && subscription.position < position) {
      const facts = await selectFacts(db.read, { after: subscription.position, limit: batchMax })
      await reviewIfChanged()
      const last = facts.at(-1)?.number ?? position
      const chunk = renderer(facts)(subscription)
      subscription.position = last
      if (subscription.isGone || !chunk) continue
      subscription.sink.write(chunk)
      await subscription.sink.drained()
    }
    subscription.isLive = true
  }

  const startAt = async (since: Since): Promise<Start> => {
    if (subscriptions.size === 0) await skip()
    if (since === 'now') return { number: position }
    if (since === 'slow') return { number: position, resync: 'slow' }
    const last = await selectLastNumber(db.read)
    const beforeOldest = Math.max(await selectNumberBeforeOldest(db.read), last - numbersKept)
    // A number that was never given comes from a database that was restored since, or from another one.
    return since < beforeOldest || since > last ? { number: position, resync: 'too_old' } : { number: since }
  }

  return {
    get size() {
      return subscriptions.size
    },
    get position() {
      return position
    },
    startAt,
    subscribe: (subscriber, { number, resync }) => {
      const subscription = { ...subscriber, position: number, isGone: false, isLive: false }
      subscriptions.add(subscription)
      const { sink } = subscription
      sink.write(streamEvent('connected', { lastEventId: String(number) }, subscription, clock()))
      if (resync) sink.write(streamEvent('resync', { reason: resync }, subscription, clock()))
      catchUp(subscription).catch((err: unknown) => {
        // The client comes back with the id it has, and gets from there what it missed.
        log.warn({ err }, 'A client could not be told what it missed')
        leave(subscription)
        subscription.sink.end()
      })
      return () => leave(subscription)
    },
    close: async () => {
      for (const stop of stopListening) stop()
      await follower.stop()
      for (const { sink } of subscriptions) sink.end()
      subscriptions.clear()
    },
  }
}

type Rendered = Pick<Subscription<unknown>, 'profile' | 'types' | 'named' | 'userId' | 'position'>

/** Renders the same facts for many: decided once a profile, turned into bytes once for all who get the same. */
const renderer = (facts: readonly StoredFact[]) => {
  const visible = new Map<string, readonly StoredFact[]>()
  const common = new Map<string, Buffer | undefined>()
  const owners = new Set(facts.map(({ user_id }) => user_id))

  const visibleTo = ({ key, sees }: Profile): readonly StoredFact[] => {
    const known = visible.get(key)
    if (known) return known
    const seen = facts.filter(sees)
    visible.set(key, seen)
    return seen
  }
  const chunkOf = (
    { profile, types, named }: Rendered,
    includes: (fact: StoredFact) => boolean,
  ): Buffer | undefined => {
    const chosen = visibleTo(profile).filter((fact) => (types?.has(fact.type) ?? true) && includes(fact))
    return chosen.length === 0 ? undefined : Buffer.from(chosen.map((fact) => eventOf(fact, named)).join(''))
  }

  return (subscription: Rendered): Buffer | undefined => {
    const { profile, types, named, userId } = subscription
    if (owners.has(userId)) return chunkOf(subscription, ({ user_id }) => user_id === null || user_id === userId)
    const key = `${named} ${types ? [...types].join() : ''} ${profile.key}`
    if (!common.has(key))
      common.set(
        key,
        chunkOf(subscription, ({ user_id }) => user_id === null),
      )
    return common.get(key)
  }
}

const eventOf = ({ number, type, data }: StoredFact, named: boolean): string =>
  `id: ${number}\n${named ? `event: ${type}\n` : ''}data: ${data}\n\n`

/** Of the stream itself, not of the outbox. Its id is where the client stands. */
const streamEvent = (
  type: 'connected' | 'resync',
  fields: Record<string, string>,
  { position, named }: Pick<Rendered, 'position' | 'named'>,
  now: Date,
): Buffer => {
  const data = JSON.stringify({ type, timestamp: now.toISOString(), ...fields })
  return Buffer.from(`id: ${position}\n${named ? `event: ${type}\n` : ''}data: ${data}\n\n`)
}
