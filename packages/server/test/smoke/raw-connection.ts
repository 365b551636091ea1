import { connect } from 'node:net'

export interface RawConnection extends AsyncDisposable {
  write(text: string): void
  /** It returns everything received so far. */
  received(): string
  isClosed(): boolean
}

/** The connection sends exactly what it is told to, and when. */
export const rawConnection = async (url: string): Promise<RawConnection> => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let received = ''
  let isClosed = false
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text
  })
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => {
      isClosed = true
      resolve()
    })
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve).once('error', reject)
  })
  socket.on('error', () => undefined)

  return {
    write: (text) => {
      socket.write(text)
    },
    received: () => received,
    isClosed: () => isClosed,
    async [Symbol.asyncDispose]() {
      socket.destroy()
      await closed
    },
  }
}

/** It returns whether nobody listens there any more. */
export const isRefused = async (url: string): Promise<boolean> => {
  try {
    await using _ = await rawConnection(url)
    return false
  } catch {
    return true
  }
}
