import { Socket } from 'node:net'
import { leave } from './leave.ts'
import { exitCodes } from './command.ts'

/**
 * On an old Node this process is the child of its launcher, and a supervisor knows only the launcher. When that is
 * killed, this process must not go on serving and hold the port of the next one.
 */
export const endWithLauncher = (): void => {
  const { LAUNCHER_PIPE: descriptor } = process.env
  // None of our own children has one.
  delete process.env.LAUNCHER_PIPE
  if (descriptor === undefined) return
  const pipe = new Socket({ fd: Number(descriptor), readable: true, writable: false })
  const end = (): never => leave(exitCodes.failed)
  pipe.once('end', end).once('error', end)
  pipe.resume()
  pipe.unref()
}
