import type { ChildProcess } from 'node:child_process'
import { Server } from 'node:net'

/** In a network of its own, where nobody else has any. */
export const doorPort = 3128

/** Ours to read, and closed before the plugin begins. */
const doorChannel = 3

/** Opens a socket in there, hands it out to us and is gone. */
const openDoor = [
  `const door = require('node:net').createServer()`,
  `door.listen(${doorPort}, '127.0.0.1', () => process.send('door', door, () => process.exit()))`,
].join(';')

const thenBecome = `
"$1" -e "$2" || exit 1
unset NODE_CHANNEL_FD NODE_CHANNEL_SERIALIZATION_MODE
shift 2
exec "$@" ${doorChannel}>&-
`

/** Goes before the plugin, in the same box. What listens is then held by us alone, so no process of ours is in there with it. */
export const doorway = (): string[] => ['/bin/sh', '-c', thenBecome, 'sh', process.execPath, openDoor]

/** Said once, before the plugin says anything. */
export const onDoor = (child: ChildProcess, take: (door: Server) => void): void => {
  child.once('message', (_, door) => {
    if (door instanceof Server) take(door)
  })
}
