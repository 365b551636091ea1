import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'

/**
 * A shell gets the numbers of our processes, and ends them as soon as its input ends: when this process ends, for
 * whatever reason. Those of the second kind get a moment to hand back their tasks.
 */
const keeper = `{
  now= later=
  without() { left=; for each in $1; do [ "$each" = "$2" ] || left="$left $each"; done; }
  while read -r sign pid; do
    case $sign in
      now) now="$now $pid" ;;
      later) later="$later $pid" ;;
      gone) without "$now" "$pid"; now=$left; without "$later" "$pid"; later=$left ;;
    esac
  done
  [ -n "$now" ] && kill -KILL $now
  [ -n "$later" ] && sleep 0.8 && kill -KILL $later
} <&3 3<&- 2>/dev/null &`

type When = 'now' | 'later'

const endings = new Map<number, When>()
let pipe: Socket | undefined

/**
 * It makes a child end when this process is gone. A child that waits for us notices by itself; one that loops in a
 * damaged file, or waits for a disk, does not.
 */
export const endWithUs = (child: ChildProcess, when: When = 'now'): void => {
  const { pid } = child
  if (pid === undefined || process.platform === 'win32') return
  endings.set(pid, when)
  if (pipe) pipe.write(`${when} ${pid}\n`)
  else start()
  child.once('exit', () => {
    endings.delete(pid)
    pipe?.write(`gone ${pid}\n`)
  })
}

const start = (): void => {
  // The shell is not in our process group: a signal to the whole group must not reach it first. It goes on after the
  // shell that begins it.
  const shell = spawn('/bin/sh', ['-c', keeper], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    detached: true,
    cwd: '/',
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
  })
  shell.once('error', () => undefined)
  // The machine has no process left: the next child tries again.
  if (shell.pid === undefined) return
  const opened = shell.stdio[3] as Socket
  pipe = opened
  opened.on('error', () => undefined)
  opened.once('close', () => {
    // Somebody has ended the shell: the remaining processes need another.
    if (pipe === opened) pipe = undefined
    if (endings.size > 0 && shell.exitCode === 0) start()
  })
  shell.unref()
  opened.unref()
  for (const [pid, when] of endings) opened.write(`${when} ${pid}\n`)
}
