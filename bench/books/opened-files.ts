import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

const attachMs = 1000

/**
 * It counts the files below `root` that a process and its children open while `use` runs, as strace sees it; folders do
 * not count. It is undefined where there is no strace.
 */
export const openedFilesDuring = async (
  pid: number,
  root: string,
  record: string,
  use: () => Promise<unknown>,
): Promise<number | undefined> => {
  const tracer = spawn('strace', ['-f', '-qq', '-e', 'trace=open,openat,openat2', '-o', record, '-p', String(pid)], {
    stdio: 'ignore',
  })
  const started = await once(tracer, 'spawn').catch(() => undefined)
  if (!started) return undefined
  try {
    await delay(attachMs)
    await use()
  } finally {
    tracer.kill('SIGINT')
    await once(tracer, 'exit')
  }
  const lines = readFileSync(record, 'utf8').split('\n')
  return lines.filter((line) => line.includes(`"${root}/`) && !line.includes('O_DIRECTORY')).length
}
