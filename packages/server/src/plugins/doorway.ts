import type { ChildProcess } from 'node:child_process'
import { Server } from 'node:net'

/** The port lies in a network namespace of its own, where nobody else has any. */
export const doorPort = 3128

/** We read from this channel; it is closed before the plugin begins. */
const doorChannel = 3

/** It opens a socket in there, hands it out to us and is gone. */
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

/**
 * It runs before the plugin, in the same sandbox. Only we hold the listening socket afterwards, so no process of ours
 * stays in there.
 */
export const doorway = (): string[] => ['/bin/sh', '-c', thenBecome, 'sh', process.execPath, openDoor]

/** The message comes once, before the plugin says anything. */
export const onDoor = (child: ChildProcess, take: (door: Server) => void): void => {
  child.once('message', (_, door) => {
    if (door instanceof Server) take(door)
  })
}
