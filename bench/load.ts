import { type Connection, openConnection, type Reply } from './connection.ts'

/** Requests that follow one another on each connection until the time or the count is used up. */
export interface Load {
  readonly port: number
  readonly connections: number
  readonly durationMs: number
  /**
   * The client never sleeps while waiting for answers. Waking a sleeper up is booked on the server, and costs more than
   * `node:http` itself; a client elsewhere would not cost that. Leave it out where the server needs the cores.
   */
  readonly awake?: boolean
  readonly requestsMax?: number
  /** `lane` is the number of the connection. */
  readonly request: (index: number, lane: number) => Buffer
  /** It throws when the answer is not the right one: what is wrong has no speed. */
  readonly check: (reply: Reply, lane: number) => void
}

export interface LoadResult {
  readonly requests: number
  readonly perSecond: number
  /** The latencies are sorted. */
  readonly latenciesMs: readonly number[]
}

const requestsMaxDefault = 200_000

export const putLoad = async (load: Load): Promise<LoadResult> => {
  const { port, connections, durationMs, requestsMax = requestsMaxDefault } = load
  const opened = await Promise.all(Array.from({ length: connections }, () => openConnection(port)))
  const latenciesMs: number[] = []
  const startedAt = performance.now()
  let next = 0

  const drive = async (connection: Connection, lane: number): Promise<void> => {
    for (let now = performance.now(); now < startedAt + durationMs && next < requestsMax;) {
      const index = next
      next += 1
      const reply = await connection.exchange(load.request(index, lane))
      load.check(reply, lane)
      const answeredAt = performance.now()
      latenciesMs.push(answeredAt - now)
      now = answeredAt
    }
  }

  let awake = load.awake === true
  const stayAwake = (): void => {
    if (awake) setImmediate(stayAwake)
  }
  stayAwake()
  try {
    await Promise.all(opened.map(drive))
  } finally {
    awake = false
    for (const connection of opened) connection.close()
  }
  const perSecond = (latenciesMs.length * 1000) / (performance.now() - startedAt)
  return { requests: latenciesMs.length, perSecond, latenciesMs: latenciesMs.sort((a, b) => a - b) }
}

/** Every answer must be this one, to the byte. */
export const sameReply =
  (expected: Pick<Reply, 'status' | 'body'>) =>
  (reply: Reply): void => {
    if (reply.status === expected.status && reply.body.equals(expected.body)) return
    throw new Error(
      `Expected ${expected.status} ${expected.body.toString()}, got ${reply.status} ${reply.body.toString()}`,
    )
  }
