/**
 * What there may be to look at: facts with a number, facts that still need one, tasks, and changes of what processes keep
 * in memory.
 */
export const topics = ['facts', 'unnumbered', 'tasks', 'revisions'] as const
export type Topic = (typeof topics)[number]

/**
 * Says "look" to whoever waits for something in the database, here and in other processes. A hint and no more: whoever
 * listens looks once in a while anyway, so that one that gets lost costs a second and never a fact.
 */
export interface WakeUps {
  send(topic: Topic): void
  /** Answers how to stop listening. */
  on(topic: Topic, listener: () => void): () => void
  /** Whether anybody listens here. */
  isHeard(topic: Topic): boolean
  /** Connects another process: `forward` carries there what is sent here. */
  join(forward: (topic: Topic) => void): Link
}

interface Link {
  /** Hands in what was sent there. */
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
