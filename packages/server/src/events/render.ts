import type { StoredFact } from './queries.ts'

/** What decides which facts somebody may see, the same for all who may see the same. */
export interface Profile {
  /** Two viewers with equal keys may see the same, except for what is only for one user. */
  readonly key: string
  readonly sees: (fact: StoredFact) => boolean
}

/** What of a client decides the bytes it gets. */
export interface Rendered {
  readonly profile: Profile
  /** Undefined: all. */
  readonly types: ReadonlySet<string> | undefined
  /** With an `event:` line. */
  readonly named: boolean
  readonly userId: string
}

const partBytesMax = 64 * 1024

/** Facts in parts so small that a client which reads what it is sent never seems to be far behind. */
export const inParts = (facts: readonly StoredFact[]): StoredFact[][] => {
  const parts: StoredFact[][] = []
  let room = 0
  for (const fact of facts) {
    if (fact.data.length > room) {
      parts.push([])
      room = partBytesMax
    }
    parts.at(-1)?.push(fact)
    room -= fact.data.length
  }
  return parts
}

/** Renders the same facts for many: decided once a profile, turned into bytes once for all who get the same. */
export const renderer = (facts: readonly StoredFact[]) => {
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
export const streamEvent = (
  type: 'connected' | 'resync',
  fields: Record<string, string>,
  { position, named }: { readonly position: number; readonly named: boolean },
  now: Date,
): Buffer => {
  const data = JSON.stringify({ type, timestamp: now.toISOString(), ...fields })
  return Buffer.from(`id: ${position}\n${named ? `event: ${type}\n` : ''}data: ${data}\n\n`)
}
