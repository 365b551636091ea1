import { connect, type Socket } from 'node:net'

export interface Reply {
  readonly status: number
  readonly head: string
  readonly body: Buffer
}

/** One kept-alive connection with one request under way at a time. */
export interface Connection {
  exchange(request: Buffer): Promise<Reply>
  close(): void
}

export interface RequestText {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

const replyMsMax = 10_000

/** The request is written once and sent many times: making it must not cost anything while the clock runs. */
export const requestBytes = ({ method = 'GET', path, headers = {}, body }: RequestText): Buffer => {
  const text = body === undefined ? '' : JSON.stringify(body)
  const all = {
    host: 'bench',
    ...headers,
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
    }),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`)
}

/**
 * It reads just enough HTTP for the servers measured here; both `fetch` and `node:http` cost more than what they
 * measure.
 */
export const openConnection = async (port: number): Promise<Connection> => {
  const socket = await connected(port)
  let received: Buffer[] = []
  let receivedLength = 0
  /** It is the length of the whole answer; unknown until its head has arrived. */
  let wholeLength: number | undefined
  let waiting: { resolve: (reply: Reply) => void; reject: (error: Error) => void } | undefined

  const fail = (error: Error): void => {
    waiting?.reject(error)
    waiting = undefined
    socket.destroy()
  }
  const receive = (chunk: Buffer): void => {
    received.push(chunk)
    receivedLength += chunk.length
    if (wholeLength === undefined) {
      // A reply that comes in many pieces is put together once.
      const soFar = received.length === 1 ? chunk : Buffer.concat(received)
      received = [soFar]
      wholeLength = lengthOfReply(soFar)
    }
    if (wholeLength === undefined || receivedLength < wholeLength) return
    if (receivedLength > wholeLength) throw new Error('The server sent more than one answer')
    const reply = replyIn(received.length === 1 ? chunk : Buffer.concat(received))
    received = []
    receivedLength = 0
    wholeLength = undefined
    const question = waiting
    waiting = undefined
    question?.resolve(reply)
  }
  socket.setTimeout(replyMsMax, () => {
    if (waiting) fail(new Error(`No answer within ${replyMsMax} ms`))
  })
  socket.on('data', (chunk: Buffer) => {
    try {
      receive(chunk)
    } catch (error) {
      fail(error as Error)
    }
  })
  socket.on('error', fail)
  socket.on('close', () => fail(new Error('The server closed the connection')))

  return {
    exchange: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        if (socket.destroyed) fail(new Error('The connection is closed'))
        else socket.write(request)
      }),
    close: () => socket.destroy(),
  }
}

const connected = (port: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true })
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.off('error', reject)
      resolve(socket)
    })
  })

const emptyStatuses = [204, 304]
const endOfHead = '\r\n\r\n'

/** Undefined until the head is there, and for a body in chunks until its last. */
const lengthOfReply = (received: Buffer): number | undefined => {
  const headEnd = received.indexOf(endOfHead)
  if (headEnd < 0) return undefined
  const head = received.toString('latin1', 0, headEnd)
  const from = headEnd + endOfHead.length
  if (emptyStatuses.includes(statusIn(head))) return from
  return isInChunks(head) ? chunksIn(received, from)?.end : from + lengthIn(head)
}

const isInChunks = (head: string): boolean => /\r\ntransfer-encoding: *chunked/i.test(head)

/** Undefined until the last chunk, which is empty, is there. */
const chunksIn = (received: Buffer, from: number): { readonly parts: Buffer[]; readonly end: number } | undefined => {
  const parts: Buffer[] = []
  for (let at = from; ;) {
    const lineEnd = received.indexOf('\r\n', at)
    if (lineEnd < 0) return undefined
    const size = Number.parseInt(received.toString('latin1', at, lineEnd), 16)
    const start = lineEnd + 2
    const end = start + size + 2
    if (received.length < end) return undefined
    if (size === 0) return { parts, end }
    parts.push(received.subarray(start, start + size))
    at = end
  }
}

const statusIn = (head: string): number => Number(head.slice(9, 12))

const replyIn = (received: Buffer): Reply => {
  const headEnd = received.indexOf(endOfHead)
  const head = received.toString('latin1', 0, headEnd)
  const from = headEnd + endOfHead.length
  const body = isInChunks(head) ? Buffer.concat(chunksIn(received, from)?.parts ?? []) : received.subarray(from)
  return { status: statusIn(head), head, body }
}

const lengthIn = (head: string): number => {
  const [, digits] = /\r\ncontent-length: (\d+)/i.exec(head) ?? []
  if (digits === undefined) throw new Error(`The answer does not say how long it is:\n${head}`)
  return Number(digits)
}
