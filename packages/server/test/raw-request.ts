import { connect } from 'node:net'
import { deadlineMs } from './deadline.ts'

export interface RawReply {
  readonly status: number
  readonly head: string
  readonly body: string
}

/** It writes these bytes to a socket, and reads until one answer is complete or the server hangs up. */
export const rawRequest = (url: string, bytes: string | Buffer): Promise<RawReply> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    let received = ''
    const finish = (): void => {
      clearTimeout(deadline)
      socket.destroy()
      const [head = '', body = ''] = received.split(/\r\n\r\n(.*)/s)
      resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(head)?.[1] ?? 0), head, body })
    }
    const deadline = setTimeout(() => reject(new Error(`No answer within ${deadlineMs} ms: ${received}`)), deadlineMs)
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
      if (isComplete(received)) finish()
    })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // The server may hang up while we still write; its answer before that counts.
      if (error.code === 'EPIPE' || error.code === 'ECONNRESET') return finish()
      clearTimeout(deadline)
      reject(error)
    })
    socket.on('close', finish)
    socket.write(bytes)
  })

const isComplete = (text: string): boolean => {
  const [head, body] = text.split(/\r\n\r\n(.*)/s)
  const length = /^content-length: (\d+)/im.exec(head ?? '')?.[1]
  return body !== undefined && length !== undefined && body.length >= Number(length)
}
