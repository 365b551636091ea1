import type { StoredEvent } from './queries.ts'

/** It decides which events somebody may see, the same for all who may see the same. */
export interface Profile {
  /** Two viewers with equal keys may see the same, except for what is only for one user. */
  readonly key: string
  readonly sees: (event: StoredEvent) => boolean
}

/** The stream itself sends these, or they report something that is not in the outbox. */
export type StreamEventType = 'connected' | 'resync' | 'notification'

/** It says how events are written for a client. */
export interface Wording {
  /** The same for all that say the same. */
  readonly key: string
  /** Empty: those it is for know no such thing. */
  readonly ofEvent: (event: StoredEvent) => string
  /** It renders events that are not in the outbox. Their id is the position of the client. */
  readonly ofStream: (type: StreamEventType, data: string, position: number) => string
}

/** Our own API renders events like this, with an `event:` line or without. */
export const ourWording = (named: boolean): Wording => {
  const inWords = (id: number | null, type: string, data: string): string =>
    `id: ${id}\n${named ? `event: ${type}\n` : ''}data: ${data}\n\n`
  return {
    key: `our ${named}`,
    ofEvent: ({ number, type, data }) => inWords(number, type, data),
    ofStream: (type, data, position) => inWords(position, type, data),
  }
}

/** These properties of a client decide which bytes it gets. */
export interface Rendered {
  readonly profile: Profile
  /** Undefined: all. */
  readonly types: ReadonlySet<string> | undefined
  readonly wording: Wording
  readonly userId: string
}

const partBytesMax = 64 * 1024

/** Events in parts so small that a client which reads what it is sent never seems to be far behind. */
export const inParts = (events: readonly StoredEvent[]): StoredEvent[][] => {
  const parts: StoredEvent[][] = []
  let room = 0
  for (const event of events) {
    if (event.data.length > room) {
      parts.push([])
      room = partBytesMax
    }
    parts.at(-1)?.push(event)
    room -= event.data.length
  }
  return parts
}

/** It renders the same events for many: decided once a profile, turned into bytes once for all who get the same. */
export const renderer = (events: readonly StoredEvent[]) => {
  const visible = new Map<string, readonly StoredEvent[]>()
  const common = new Map<string, Buffer | undefined>()
  const owners = new Set(events.map(({ user_id }) => user_id))

  const visibleTo = ({ key, sees }: Profile): readonly StoredEvent[] => {
    const cached = visible.get(key)
    if (cached) return cached
    const seen = events.filter(sees)
    visible.set(key, seen)
    return seen
  }
  const chunkOf = (
    { profile, types, wording }: Rendered,
    includes: (event: StoredEvent) => boolean,
  ): Buffer | undefined => {
    const chosen = visibleTo(profile).filter((event) => (types?.has(event.type) ?? true) && includes(event))
    const text = chosen.map(wording.ofEvent).join('')
    return text === '' ? undefined : Buffer.from(text)
  }

  return (subscription: Rendered): Buffer | undefined => {
    const { profile, types, wording, userId } = subscription
    if (owners.has(userId)) return chunkOf(subscription, ({ user_id }) => user_id === null || user_id === userId)
    const key = `${wording.key} ${types ? [...types].join() : ''} ${profile.key}`
    if (!common.has(key))
      common.set(
        key,
        chunkOf(subscription, ({ user_id }) => user_id === null),
      )
    return common.get(key)
  }
}

export const streamEvent = (
  type: StreamEventType,
  fields: Record<string, string>,
  { position, wording }: { readonly position: number; readonly wording: Wording },
  now: Date,
): Buffer => {
  const data = JSON.stringify({ type, timestamp: now.toISOString(), ...fields })
  return Buffer.from(wording.ofStream(type, data, position))
}
