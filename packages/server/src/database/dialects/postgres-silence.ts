import { Socket } from 'node:net'
import { Client, type ClientConfig, type Pool, type PoolClient } from 'pg'
import { withClient } from './postgres-client.ts'
import { codeOf } from './postgres-faults.ts'

/** The connections of a pool whose silent ones are closed: each knows its socket, also where TLS stands on that. */
export class ClientWithSocket extends Client {
  readonly socket: Socket

  constructor(config?: ClientConfig) {
    const socket = new Socket()
    super({ ...config, stream: () => socket })
    this.socket = socket
  }
}

/** A statement may be slow, or wait for a lock: after so long without an answer it is asked whether anybody is there. */
const doubtMs = 2000
/** Both together stay below the five seconds in which everybody has an answer (P-12). */
const questionMs = 2500

interface Statement {
  readonly client: PoolClient
  readonly sentAt: number
}

/**
 * It looks after connections that have gone silent (decision 081). A router that has forgotten one tells neither end, and the system goes on trying
 * for a quarter of an hour. PostgreSQL ends what takes too long before we do: whatever has not answered by then may never answer
 * again. Such a connection is closed at once, and so are those that nobody was using: they have most likely gone the same way, and each
 * would keep somebody waiting until that was known. Where not even a new connection is answered, all are closed.
 */
export const closeSilent = (url: string): ((pool: Pool) => void) => {
  const idle = new Set<PoolClient>()
  /** They have no answer yet; the oldest is the first. */
  const waiting = new Set<Statement>()
  let timer: NodeJS.Timeout | undefined

  const closeIdle = (): void => {
    // The pool drops a connection of its own that fails while nobody uses it.
    const closed = [...idle]
    idle.clear()
    for (const client of closed) client.emit('error', new Error('Another connection was given no answer'))
  }
  const lookIn = (ms: number): void => {
    timer ??= setTimeout(() => void look(), ms).unref()
  }
  /** Whoever waits, one question at a time is asked for all of them. */
  const look = async (): Promise<void> => {
    const [oldest] = waiting
    const age = oldest ? performance.now() - oldest.sentAt : 0
    if (age >= doubtMs && !(await isAnswered(url))) {
      for (const { client } of waiting) close(client)
      closeIdle()
    }
    timer = undefined
    if (waiting.size > 0) lookIn(age >= doubtMs ? doubtMs : doubtMs - age)
  }
  const watch = (client: PoolClient): void => {
    const query = client.query.bind(client) as (...values: readonly unknown[]) => unknown
    const watched = (...queryArguments: readonly unknown[]): unknown => {
      const answer = query(...queryArguments)
      if (!(answer instanceof Promise)) return answer
      const statement = { client, sentAt: performance.now() }
      waiting.add(statement)
      lookIn(doubtMs)
      const isOver = (): void => void waiting.delete(statement)
      answer.then(isOver, (error: unknown) => {
        isOver()
        if (!isSilence(error)) return
        close(client)
        closeIdle()
      })
      return answer
    }
    client.query = watched as typeof client.query
  }

  return (pool) => {
    pool.on('acquire', (client) => idle.delete(client))
    pool.on('release', (error, client) => {
      if (!error) idle.add(client)
    })
    pool.on('remove', (client) => idle.delete(client))
    pool.on('connect', watch)
  }
}

/**
 * Its statements fail at once, and it is not used again. Where only answers get lost, PostgreSQL has to hear of it: a transaction that
 * waits for a lock would get that, and hold it for nobody. The system keeps an orderly end to itself until what was sent before is
 * confirmed; a reset goes out at once, and what it had yet to send is thrown away.
 */
const close = (client: PoolClient): void => {
  if (!(client instanceof ClientWithSocket)) throw new Error('The pool has connections of another kind')
  const { socket } = client
  // There is no reset for what is not TCP, and nobody there loses an answer.
  if (socket.remoteFamily === undefined) socket.destroy()
  else socket.resetAndDestroy()
  void client.end().catch(() => undefined)
}

const isExpired = (error: unknown): boolean => error instanceof Error && error.message === 'timeout expired'

const isSilence = (error: unknown): boolean => error instanceof Error && error.message === 'Query read timeout'

/** No way leads there any more: the cable is out, or a router says so. */
const noWay = ['ENETUNREACH', 'EHOSTUNREACH', 'ENETDOWN', 'EHOSTDOWN']

/** A refusal is an answer too, and so are the first bytes from a server that is far away. The end of the connection is not waited for. */
const isAnswered = (url: string): Promise<boolean> => {
  const socket = new Socket()
  const { promise, resolve } = Promise.withResolvers<boolean>()
  withClient({ url, answersWithinMs: questionMs, socket }, async () => resolve(true)).catch((error: unknown) =>
    resolve(socket.bytesRead > 0 || !(noWay.includes(codeOf(error)) || isExpired(error))),
  )
  return promise
}
