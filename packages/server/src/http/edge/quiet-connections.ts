import type { Server } from 'node:http'
import type { Socket } from 'node:net'

interface Quiet {
  /** What had come and gone by then. */
  readonly bytes: number
  readonly since: number
  readonly seenAt: number
}

const looks = 4

/**
 * A connection on which nothing has moved for so long is cut (decision 081). Node takes what the system had room for at first as movement, and would
 * cut a client that takes nothing of its answer after twice the time: so it is made to look more often, and counted here.
 */
export const cutQuietConnections = (server: Server, quietMs: number): void => {
  const everyMs = quietMs / looks
  const quiet = new WeakMap<Socket, Quiet>()
  server.setTimeout(everyMs, (socket: Socket) => {
    // Between two requests Node waits for another time than ours, and that is over.
    if (socket.timeout !== everyMs) return void socket.destroy()
    const now = performance.now()
    const bytes = socket.bytesRead + socket.bytesWritten
    const before = quiet.get(socket)
    // What is written in one piece moves without a change of the bytes. Node sees that, and does not come here in between.
    const isStill = before?.bytes === bytes && now - before.seenAt < 1.5 * everyMs
    const since = isStill ? before.since : now - everyMs
    if (now - since > quietMs - everyMs / 2) return void socket.destroy()
    quiet.set(socket, { bytes, since, seenAt: now })
    socket.setTimeout(everyMs)
  })
}
