import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openConnection, requestBytes } from './connection.ts'
import { freePort } from '../packages/server/test/free-port.ts'
import { sameReply } from './load.ts'

export interface ServerProcess extends AsyncDisposable {
  readonly pid: number
  readonly port: number
  /** The time is that of `performance.now`, just before the process was made. */
  readonly spawnedAt: number
  /** It resolves at the first right answer of /health. */
  ready(): Promise<void>
  /** It ends the process as a power cut would, as far as a process can tell. */
  kill(): Promise<void>
}

const program = fileURLToPath(new URL('../packages/server/bin/carrel.cjs', import.meta.url))
const readyMsMax = 30_000
const stopMsMax = 15_000
const askEveryMs = 2
const health = { request: requestBytes({ path: '/health' }), body: Buffer.from('{"status":"ok"}') }

/** The built server, as an operator starts it. Disposing of it stops it and fails if it logged a fault. */
export const spawnServer = async (dataDir: string, env: Readonly<Record<string, string>>): Promise<ServerProcess> => {
  const port = await freePort()
  const logFile = join(dataDir, `bench-${port}.log`)
  const log = openSync(logFile, 'w')
  const spawnedAt = performance.now()
  const child = spawn(process.execPath, [...(process.env['BENCH_ARGS']?.split(' ') ?? []), program, 'serve'], {
    cwd: dataDir,
    env: { PATH: process.env.PATH, ...env, CARREL_DATA_DIR: dataDir, CARREL_PORT: String(port) },
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  const { pid } = child
  if (pid === undefined) throw new Error('The server could not be started')
  const killAtExit = () => child.kill('SIGKILL')
  process.once('exit', killAtExit)
  const exited = once(child, 'exit').finally(() => process.off('exit', killAtExit))
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const ready = async (): Promise<void> => {
    while (!(await answersHealth(port))) {
      if (hasEnded() || performance.now() - spawnedAt > readyMsMax)
        throw new Error(`The server did not start:\n${readFileSync(logFile, 'utf8')}`)
      await delay(askEveryMs)
    }
  }
  const end = async (signal: 'SIGTERM' | 'SIGKILL'): Promise<void> => {
    if (!hasEnded()) child.kill(signal)
    const tooLate = setTimeout(() => child.kill('SIGKILL'), stopMsMax)
    await exited
    clearTimeout(tooLate)
  }

  return {
    pid,
    port,
    spawnedAt,
    ready,
    kill: () => end('SIGKILL'),
    [Symbol.asyncDispose]: async () => {
      await end('SIGTERM')
      const fault = readFileSync(logFile, 'utf8').match(/^.*"level":"(error|fatal)".*$/m)
      if (fault) throw new Error(`The server logged a fault: ${fault[0]}`)
    },
  }
}

const answersHealth = async (port: number): Promise<boolean> => {
  const connection = await openConnection(port).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ECONNREFUSED') return undefined
    throw error
  })
  if (!connection) return false
  try {
    sameReply({ status: 200, body: health.body })(await connection.exchange(health.request))
    return true
  } finally {
    connection.close()
  }
}
