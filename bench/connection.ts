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

/** Written once and sent many times: making it must not cost anything while the clock runs. */
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

/** Reads just enough HTTP for the servers measured here; both `fetch` and `node:http` cost more than what they measure. */
export const openConnection = async (port: number): Promise<Connection> => {
  const socket = await connected(port)
  let received: Buffer = Buffer.alloc(0)
  let waiting: { resolve: (reply: Reply) => void; reject: (error: Error) => void } | undefined

  const fail = (error: Error): void => {
    waiting?.reject(error)
    waiting = undefined
    socket.destroy()
  }
  const receive = (chunk: Buffer): void => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    const reply = replyIn(received)
    if (!reply) return
    received = Buffer.alloc(0)
    const asked = waiting
    waiting = undefined
    asked?.resolve(reply)
  }
  socket.setTimeout(replyMsMax, () => fail(new Error(`No answer within ${replyMsMax} ms`)))
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
        socket.write(request)
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

const replyIn = (received: Buffer): Reply | undefined => {
  const headEnd = received.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const head = received.toString('latin1', 0, headEnd)
  const status = Number(head.slice(9, 12))
  const bodyStart = headEnd + 4
  const length = emptyStatuses.includes(status) ? 0 : lengthIn(head)
  const surplus = received.length - bodyStart - length
  if (surplus < 0) return undefined
  if (surplus > 0) throw new Error('The server sent more than one answer')
  return { status, head, body: received.subarray(bodyStart) }
}

const lengthIn = (head: string): number => {
  const [, digits] = /\r\ncontent-length: (\d+)/i.exec(head) ?? []
  if (digits === undefined) throw new Error(`The answer does not say how long it is:\n${head}`)
  return Number(digits)
}
