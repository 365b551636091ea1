import { connect, type Socket } from 'node:net'
import { requestBytes } from '../connection.ts'
import { answerParent } from './asking.ts'
import { monotonicMs } from './monotonic.ts'

interface Group {
  readonly path: string
  readonly headers: readonly Readonly<Record<string, string>>[]
  /** Each of them is to get this many. */
  readonly count: number
}

interface Listener {
  readonly socket: Socket
  readonly group: number
  events: number
  tail: Buffer
}

// Every event has one of these, and nothing else has.
const mark = Buffer.from('data: {')
const openingAtOnce = 20
const listeners: Listener[] = []
let total = 0
let target = Number.POSITIVE_INFINITY
let reached: PromiseWithResolvers<number> | undefined

/** Marks that were cut in two on their way count too. */
const marksIn = (listener: Listener, chunk: Buffer): number => {
  const seam = Buffer.concat([listener.tail, chunk.subarray(0, mark.length - 1)])
  let count = seam.includes(mark) ? 1 : 0
  for (let at = chunk.indexOf(mark); at >= 0; at = chunk.indexOf(mark, at + mark.length)) count += 1
  const end = chunk.length >= mark.length ? chunk : Buffer.concat([listener.tail, chunk])
  listener.tail = Buffer.from(end.subarray(Math.max(0, end.length - mark.length + 1)))
  return count
}

const receive = (listener: Listener, chunk: Buffer): void => {
  const count = marksIn(listener, chunk)
  listener.events += count
  total += count
  if (total < target) return
  target = Number.POSITIVE_INFINITY
  reached?.resolve(monotonicMs())
}

const open = async (port: number, group: number, request: Buffer): Promise<void> => {
  const socket = connect({ host: '127.0.0.1', port })
  const listener = { socket, group, events: 0, tail: Buffer.alloc(0) }
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.on('data', (chunk) => {
      receive(listener, chunk)
      if (listener.events === 0) return
      socket.off('error', reject)
      resolve()
    })
    socket.on('close', () => {
      const error = new Error(`A stream was closed after ${listener.events} events`)
      reject(error)
      reached?.reject(error)
    })
    socket.write(request)
  })
  listeners.push(listener)
}

const answers = {
  /** It opens them all; each has had its first event. */
  open: async ({ port, groups }: { port: number; groups: readonly Group[] }) => {
    const requests = groups.flatMap(({ path, headers, count }, group) =>
      Array.from({ length: count }, (_, index) => ({
        group,
        request: requestBytes({ path, headers: headers[index % headers.length] ?? {} }),
      })),
    )
    const next = requests.values()
    const openSome = async (): Promise<void> => {
      for (const { group, request } of next) await open(port, group, request)
    }
    await Promise.all(Array.from({ length: openingAtOnce }, openSome))
  },
  /** This many events are to come from here on. */
  expect: ({ events }: { events: number }) => {
    total = 0
    target = events
    reached = Promise.withResolvers<number>()
    reached.promise.catch(() => undefined)
    for (const listener of listeners) listener.events = 0
  },
  /** When the last of them came. */
  lastAt: async () => reached?.promise ?? Number.NaN,
  /** It fails unless every listener of a group got as many as all the others, and as it should. */
  requireEach: ({ events }: { events: readonly number[] }) => {
    const wrong = listeners.find(({ group, events: got }) => got !== events[group])
    if (wrong) throw new Error(`Group ${wrong.group} was to get ${events[wrong.group]} events, one got ${wrong.events}`)
  },
}
export type ListenerAnswers = typeof answers

answerParent(answers)
