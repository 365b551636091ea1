import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import { randomLabel } from '../../platform/tokens.ts'
import { type Topic, topics, type WakeUps, wakeUpsInProcess } from '../wake-ups.ts'

export interface PostgresWakeUpsOptions {
  readonly url: string
  /** Heard before anybody else hears of it. */
  readonly onRevisions: () => void
  readonly notify: (channel: string, payload: string) => Promise<unknown>
}

const channel = 'carrel'
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
  const toSend = new Set<Topic>()
  let sending = false
  let listening: Promise<void> | undefined

  const sendAll = async (): Promise<void> => {
    if (sending) return
    sending = true
    while (toSend.size > 0) {
      const payload = [ownLabel, ...toSend].join(' ')
      toSend.clear()
      // One that is lost costs the others a second: they look once in a while anyway.
      await notify(channel, payload).catch(() => undefined)
    }
    sending = false
  }

  const { receive } = here.join((topic) => {
    // Whoever writes a fact has it numbered; if that fails, anybody does within a second.
    if (topic === 'unnumbered') return
    toSend.add(topic)
    void sendAll()
  })

  const hear = (payload = ''): void => {
    const [sender, ...named] = payload.split(' ')
    if (sender === ownLabel) return
    for (const topic of topics) if (named.includes(topic)) receive(topic)
  }

  const listenUntilLost = async (onConnected: () => void): Promise<void> => {
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
      onConnected()
      for (const topic of topics) receive(topic)
      for (;;) {
        await delay(checkEveryMs, undefined, { signal: AbortSignal.any([lost.signal, closing.signal]), ref: false })
        await client.query('select 1')
      }
    } finally {
      void client.end().catch(() => undefined)
    }
  }

  const listen = async (): Promise<void> => {
    let pauseMs = reconnect.firstMs
    while (!closing.signal.aborted) {
      await listenUntilLost(() => {
        pauseMs = reconnect.firstMs
      }).catch(() => undefined)
      await delay(pauseMs, undefined, { signal: closing.signal, ref: false }).catch(() => undefined)
      pauseMs = Math.min(2 * pauseMs, reconnect.longestMs)
    }
  }

  return {
    send: here.send,
    join: here.join,
    on: (topic, listener) => {
      // Commands that end when their work is done never listen.
      listening ??= listen()
      return here.on(topic, listener)
    },
    close: async () => {
      closing.abort()
      await listening
    },
  }
}
