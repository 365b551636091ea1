import { type Connection, openConnection } from '../../bench/connection.ts'

/** Requests that come so many a second, whether those before are answered or not; each connection has one under way at a time. */
export interface Load {
  readonly port: number
  readonly connections: number
  /** Without it each connection asks again as soon as it is answered. */
  readonly perSecond?: number
  readonly seconds: number
  /** They are asked in turn. `#` is a number that is another one each time. */
  readonly requests: readonly string[]
}

export interface LoadOutcome {
  /** How often there was an answer of each status, and how long it took, in milliseconds. */
  readonly answers: Readonly<Record<string, { readonly count: number; readonly at50: number; readonly at99: number }>>
  /** They were not answered within ten seconds, or their connection was closed. */
  readonly unanswered: number
  /** They came when all connections were busy, and were never sent. */
  readonly unsent: number
  readonly seconds: number
}

const handOutEveryMs = 5
const load = JSON.parse(process.argv[2] ?? '{}') as Load
const latencies = new Map<number, number[]>()
const idle: Connection[] = []
const busy = new Set<Promise<void>>()
let [sent, unanswered] = [0, 0]

const ask = async (connection: Connection): Promise<void> => {
  sent += 1
  const request = Buffer.from((load.requests[sent % load.requests.length] ?? '').replaceAll('#', String(sent)))
  const askedAt = performance.now()
  try {
    const { status } = await connection.exchange(request)
    const own = latencies.get(status) ?? []
    own.push(performance.now() - askedAt)
    latencies.set(status, own)
    idle.push(connection)
  } catch {
    unanswered += 1
    idle.push(await openConnection(load.port))
  }
}

idle.push(...(await Promise.all(Array.from({ length: load.connections }, () => openConnection(load.port)))))
const startedAt = performance.now()
const elapsedMs = (): number => performance.now() - startedAt
const due = (): number => (load.perSecond === undefined ? Infinity : (elapsedMs() / 1000) * load.perSecond)
const handOut = (): void => {
  while (sent < due() && elapsedMs() < load.seconds * 1000) {
    const connection = idle.pop()
    if (!connection) return
    const asked = ask(connection)
    busy.add(asked)
    void asked.finally(() => {
      busy.delete(asked)
      handOut()
    })
  }
}
await new Promise<void>((resolve) => {
  const timer = setInterval(() => {
    handOut()
    if (elapsedMs() < load.seconds * 1000) return
    clearInterval(timer)
    resolve()
  }, handOutEveryMs)
})
const unsent = load.perSecond === undefined ? 0 : Math.max(0, Math.round(due()) - sent)
await Promise.all(busy)

const quantile = (sorted: readonly number[], share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0
const outcome: LoadOutcome = {
  answers: Object.fromEntries(
    [...latencies].map(([status, own]) => {
      own.sort((one, other) => one - other)
      return [status, { count: own.length, at50: quantile(own, 0.5), at99: quantile(own, 0.99) }]
    }),
  ),
  unanswered,
  unsent,
  seconds: elapsedMs() / 1000,
}
process.stdout.write(JSON.stringify(outcome), () => process.exit())
