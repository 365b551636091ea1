/**
 * A wake-up says what there may be to read: events with a number, events that still need one, tasks, changes of what
 * processes keep in memory, and reading whose figures are to be counted.
 */
export const topics = ['events', 'unnumbered', 'tasks', 'revisions', 'uncounted'] as const
export type Topic = (typeof topics)[number]

/**
 * It says "look" to whoever waits for something in the database, here and in other processes. A hint and no more:
 * whoever listens looks once in a while anyway, so that one that gets lost costs a second and never an event.
 */
export interface WakeUps {
  send(topic: Topic): void
  /** It returns a function that stops listening. */
  on(topic: Topic, listener: () => void): () => void
  /** It returns whether anybody listens in this process. */
  isHeard(topic: Topic): boolean
  /** It connects another process: `forward` carries there what is sent here. */
  join(forward: (topic: Topic) => void): Link
}

interface Link {
  /** It delivers what was sent on that topic. */
  receive(topic: Topic): void
  leave(): void
}

export const wakeUpsInProcess = (): WakeUps => {
  const listeners = new Map<Topic, Set<() => void>>(topics.map((topic) => [topic, new Set()]))
  const links = new Set<(topic: Topic) => void>()
  const call = (topic: Topic): void => {
    for (const listener of listeners.get(topic) ?? []) listener()
  }

  return {
    send: (topic) => {
      call(topic)
      for (const forward of links) forward(topic)
    },
    on: (topic, listener) => {
      listeners.get(topic)?.add(listener)
      return () => void listeners.get(topic)?.delete(listener)
    },
    isHeard: (topic) => (listeners.get(topic)?.size ?? 0) > 0,
    join: (forward) => {
      links.add(forward)
      return { receive: call, leave: () => void links.delete(forward) }
    },
  }
}
