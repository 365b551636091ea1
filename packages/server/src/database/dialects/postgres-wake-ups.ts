import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { randomLabel } from '../../platform/secrets/tokens.ts'
import { type Topic, topics, type WakeUps, wakeUpsInProcess } from '../wake-ups.ts'

export interface PostgresWakeUpsOptions {
  readonly url: string
  readonly notify: (channel: string, payload: string) => Promise<unknown>
  /** It is called before anybody else hears of the change. */
  readonly onRevisions: () => void
}

const channel = 'carrel'
/** Events are numbered, and reading is counted, by the process that has written them. */
const doneHere: readonly Topic[] = ['unnumbered', 'uncounted']
const connectMs = 3000
/** An idle connection can die without a word; asked this often, it is found out. */
const checkEveryMs = 10_000
const checkMs = 3000
const reconnect = { firstMs: 200, longestMs: 5000 }

/** Wake-ups to all processes of the database by LISTEN and NOTIFY. Who is reconnected looks everywhere: it may have missed some. */
export const postgresWakeUps = ({
  url,
  notify,
  onRevisions,
}: PostgresWakeUpsOptions): WakeUps & { close(): Promise<void> } => {
  const here = wakeUpsInProcess()
  here.on('revisions', onRevisions)
  const ownLabel = randomLabel(12)
  const closing = new AbortController()
  const tell = sender((payload) => notify(channel, payload), ownLabel)
  const { receive } = here.join((topic) => {
    // What whoever writes can do as well is left to the others only by a command that ends at once.
    if (!doneHere.includes(topic) || !here.isHeard(topic)) tell(topic)
  })
  const hear = (payload = ''): void => {
    const [from, ...named] = payload.split(' ')
    if (from === ownLabel) return
    for (const topic of topics) if (named.includes(topic)) receive(topic)
  }
  const hearAll = () => topics.forEach(receive)
  let listening: Promise<void> | undefined

  return {
    send: here.send,
    isHeard: here.isHeard,
    join: here.join,
    on: (topic, listener) => {
      // Commands that end when their work is done never listen.
      listening ??= listen({ url, hear, hearAll, closing: closing.signal })
      return here.on(topic, listener)
    },
    close: async () => {
      closing.abort()
      await listening
    },
  }
}

/** Messages go out one at a time; those that come meanwhile go together into the next. */
const sender = (notify: (payload: string) => Promise<unknown>, ownLabel: string) => {
  const toSend = new Set<Topic>()
  let sending = false
  const sendAll = async (): Promise<void> => {
    sending = true
    while (toSend.size > 0) {
      const payload = [ownLabel, ...toSend].join(' ')
      toSend.clear()
      // One that is lost costs the others a second: they look once in a while anyway.
      await notify(payload).catch(() => undefined)
    }
    sending = false
  }
  return (topic: Topic): void => {
    toSend.add(topic)
    if (!sending) void sendAll()
  }
}

interface ListenOptions {
  readonly url: string
  readonly hear: (payload: string | undefined) => void
  /** Something may have been missed. */
  readonly hearAll: () => void
  readonly closing: AbortSignal
}

const listen = async (options: ListenOptions): Promise<void> => {
  const { closing } = options
  let pauseMs = reconnect.firstMs
  while (!closing.aborted) {
    const startedAt = performance.now()
    await listenUntilLost(options).catch(() => undefined)
    pauseMs = performance.now() - startedAt > reconnect.longestMs ? reconnect.firstMs : pauseMs
    await delay(pauseMs, undefined, { signal: closing, ref: false }).catch(() => undefined)
    pauseMs = Math.min(2 * pauseMs, reconnect.longestMs)
  }
}

const listenUntilLost = async ({ url, hear, hearAll, closing }: ListenOptions): Promise<void> => {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: connectMs,
    query_timeout: checkMs,
    keepAlive: true,
    application_name: 'carrel wake-ups',
  })
  const lost = new AbortController()
  client.on('error', () => lost.abort())
  client.on('end', () => lost.abort())
  client.on('notification', ({ payload }) => hear(payload))
  try {
    await client.connect()
    await client.query(`listen ${channel}`)
    hearAll()
    for (;;) {
      await delay(checkEveryMs, undefined, { signal: AbortSignal.any([lost.signal, closing]), ref: false })
      await client.query('select 1')
    }
  } finally {
    void client.end().catch(() => undefined)
  }
}
