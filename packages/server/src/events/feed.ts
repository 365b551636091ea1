import { setImmediate as nextTurn } from 'node:timers/promises'
import type { ResyncReason } from '@carrel/api'
import type { Database } from '../database/database.ts'
import { selectRevisions } from '../database/revisions.ts'
import type { Log } from '../platform/log.ts'
import { type Repeating, repeat } from '../platform/repeat.ts'
import { selectEvents, selectLastNumber, selectNumberBeforeOldest, type StoredEvent } from './queries.ts'
import { inParts, type Profile, type Rendered, renderer, streamEvent } from './render.ts'
import { numbersKept } from './retention.ts'

/** The events of a subscriber are written here. */
interface Sink {
  write(chunk: Buffer): void
  /** The promise settles when the client has taken what was written, or is gone. */
  drained(): Promise<void>
  /** It writes the last of it and closes. */
  end(): void
}

export interface Subscriber<Viewer> extends Rendered {
  readonly viewer: Viewer
  readonly sink: Sink
  /** The revision of access that the feed knew when the profile was worked out. */
  readonly asOf: number
}

interface Subscription<Viewer> extends Subscriber<Viewer> {
  profile: Profile
  asOf: number
  /** The number of the last event that was written, or that there was nothing to write of. */
  position: number
  isGone: boolean
  /** It stands where all others do, and gets what they get. */
  isLive: boolean
}

/** It is the position of a subscriber in the feed. */
interface SubscriptionHandle {
  leave(): void
  /** The number of the last event that was written to it. */
  position(): number
}

/** It is the last number a client has; or it begins now, or it was disconnected for being slow and begins again. */
export type Since = number | 'now' | 'slow'

export interface Start {
  readonly number: number
  readonly resync?: ResyncReason
}

export interface FeedOptions<Viewer> {
  readonly db: Database
  readonly log: Log
  readonly clock: () => Date
  /** It returns what these viewers may see by now; those whose credentials are no longer valid are left out. */
  readonly review: (viewers: readonly Viewer[]) => Promise<ReadonlyMap<Viewer, Profile>>
}

const batchMax = 500
const pollMs = 1000
const reviewEveryMs = 60_000
/** Writing to a client costs some microseconds; after so many of them others get a turn. */
const clientsPerTurn = 100

/**
 * It follows the outbox and writes each event to all who may see it. Who may is decided once for each event and profile;
 * the bytes are the same for all of a profile. A client that comes back reads what it missed from the outbox, at its
 * own pace.
 */
export class Feed<Viewer> {
  readonly #options: FeedOptions<Viewer>
  readonly #subscriptions = new Set<Subscription<Viewer>>()
  readonly #follower: Repeating
  readonly #stopListening: readonly (() => void)[]
  #position: number
  #reviewed: { readonly revision: number; readonly at: number }

  constructor(options: FeedOptions<Viewer>, position: number, revision: number) {
    const { db, log } = options
    this.#options = options
    this.#position = position
    this.#reviewed = { revision, at: performance.now() }
    this.#follower = repeat({
      work: () => this.#readEvents(),
      everyMs: pollMs,
      sleeps: () => this.#subscriptions.size === 0,
      log,
      trouble: 'Events could not be read; trying again',
    })
    this.#stopListening = (['events', 'revisions'] as const).map((topic) => db.wakeUps.on(topic, this.#follower.wake))
  }

  /** It is the number up to which every client that keeps up has been served. */
  get position(): number {
    return this.#position
  }

  /** Whoever works out a profile asks for it before. */
  get revision(): number {
    return this.#reviewed.revision
  }

  /** It returns the position at which a client begins. */
  async startAt(since: Since): Promise<Start> {
    if (this.#subscriptions.size === 0) await this.#skip()
    if (since === 'now') return { number: this.#position }
    if (since === 'slow') return { number: this.#position, resync: 'slow' }
    const { db } = this.#options
    const last = await selectLastNumber(db.read)
    const beforeOldest = Math.max(await selectNumberBeforeOldest(db.read), last - numbersKept)
    // A number that was never given comes from a database that was restored since, or from another one.
    const isKnown = since >= beforeOldest && since <= last
    return isKnown ? { number: since } : { number: this.#position, resync: 'too_old' }
  }

  subscribe(subscriber: Subscriber<Viewer>, { number, resync }: Start): SubscriptionHandle {
    const { clock, log } = this.#options
    const subscription = { ...subscriber, position: number, isGone: false, isLive: false }
    this.#subscriptions.add(subscription)
    this.#follower.wake()
    const { sink } = subscription
    sink.write(streamEvent('connected', { lastEventId: String(number) }, subscription, clock()))
    if (resync) sink.write(streamEvent('resync', { reason: resync }, subscription, clock()))
    this.#catchUp(subscription).catch((err: unknown) => {
      // The client comes back with the id it has, and gets from there what it missed.
      log.warn({ err }, 'A client could not be told what it missed')
      this.#leave(subscription)
      sink.end()
    })
    return { leave: () => this.#leave(subscription), position: () => subscription.position }
  }

  /**
   * It is for what cannot be written to the outbox: only clients connected now hear of it, and others read it again
   * when they come back.
   */
  tellNow(notificationId: string, isFor: (viewer: Viewer) => boolean): void {
    const { clock } = this.#options
    for (const subscription of this.#subscriptions) {
      const { viewer, types, sink } = subscription
      if (!subscription.isLive || !isFor(viewer) || types?.has('notification') === false) continue
      sink.write(streamEvent('notification', { notificationId }, subscription, clock()))
    }
  }

  /** It stops following the outbox. Whoever made the sinks ends them. */
  async close(): Promise<void> {
    for (const stop of this.#stopListening) stop()
    await this.#follower.stop()
  }

  #leave(subscription: Subscription<Viewer>): void {
    subscription.isGone = true
    this.#subscriptions.delete(subscription)
  }

  /** Nobody needs to read what happened while nobody listened. */
  async #skip(): Promise<void> {
    const last = await selectLastNumber(this.#options.db.read)
    if (this.#subscriptions.size === 0) this.#position = Math.max(this.#position, last)
  }

  async #readEvents(): Promise<void> {
    // The first subscriber finds out by itself what the position is (startAt).
    if (this.#subscriptions.size === 0) return
    for (;;) {
      const events = await selectEvents(this.#options.db.read, { after: this.#position, limit: batchMax })
      await this.#reviewIfChanged()
      for (const part of inParts(events)) {
        await this.#deliver(part)
        // The pause lets what was written go out before there is more.
        await nextTurn()
      }
      if (events.length < batchMax) return
    }
  }

  async #deliver(events: readonly StoredEvent[]): Promise<void> {
    const before = this.#position
    const last = events.at(-1)?.number ?? before
    this.#position = last
    const render = renderer(events)
    // A client that was at a node ahead of this one, or has just caught up, may have the first of them.
    const renderRest = (subscription: Subscription<Viewer>) =>
      renderer(events.filter(({ number }) => (number ?? 0) > subscription.position))(subscription)
    let written = 0
    for (const subscription of this.#subscriptions) {
      if (!subscription.isLive || subscription.position >= last) continue
      const chunk = subscription.position > before ? renderRest(subscription) : render(subscription)
      subscription.position = last
      if (chunk) subscription.sink.write(chunk)
      written += 1
      if (written % clientsPerTurn === 0) await nextTurn()
    }
  }

  /**
   * It runs until the client has received everything that the others have. Nothing may be awaited between that check
   * and its going live.
   */
  async #catchUp(subscription: Subscription<Viewer>): Promise<void> {
    while (!subscription.isGone && subscription.position < this.#position) {
      // What is delivered to others while this one reads has still to be read.
      const upTo = this.#position
      const events = await selectEvents(this.#options.db.read, { after: subscription.position, limit: batchMax })
      await this.#reviewIfChanged()
      for (const part of inParts(events)) await this.#writePart(part, subscription)
      if (events.length === 0) subscription.position = upTo
    }
    subscription.isLive = true
  }

  async #writePart(events: readonly StoredEvent[], subscription: Subscription<Viewer>): Promise<void> {
    const chunk = renderer(events)(subscription)
    subscription.position = events.at(-1)?.number ?? subscription.position
    if (subscription.isGone || !chunk) return
    subscription.sink.write(chunk)
    await subscription.sink.drained()
  }

  /**
   * The check comes after events were read and before they are written: whoever lost a right must not hear of what came
   * after.
   */
  async #reviewIfChanged(): Promise<void> {
    const { access: revision } = await selectRevisions(this.#options.db.read)
    const { at } = this.#reviewed
    const isTimeForAll = performance.now() - at >= reviewEveryMs
    // A change that others have been reviewed for may have come between the profile of a new one and its beginning.
    const outdated = [...this.#subscriptions].filter(({ asOf }) => isTimeForAll || asOf !== revision)
    if (outdated.length > 0) {
      const profiles = await this.#options.review(outdated.map(({ viewer }) => viewer))
      for (const subscription of outdated) {
        this.#apply(profiles.get(subscription.viewer), subscription)
        subscription.asOf = revision
      }
    }
    this.#reviewed = { revision, at: isTimeForAll ? performance.now() : at }
  }

  #apply(profile: Profile | undefined, subscription: Subscription<Viewer>): void {
    if (subscription.isGone) return
    if (!profile) {
      this.#leave(subscription)
      subscription.sink.end()
    } else if (profile.key !== subscription.profile.key) {
      subscription.profile = profile
      const { clock } = this.#options
      subscription.sink.write(streamEvent('resync', { reason: 'access_changed' }, subscription, clock()))
    }
  }
}

/** The feed begins with what is announced from now on. */
export const openFeed = async <Viewer>(options: FeedOptions<Viewer>): Promise<Feed<Viewer>> => {
  const { db } = options
  const position = await selectLastNumber(db.read)
  const { access } = await selectRevisions(db.read)
  return new Feed(options, position, access)
}
