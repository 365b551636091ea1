import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

/** It names the machine on which process numbers mean the same: the same boot, the same container. */
const hostOf = (): string => {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${hostname()} ${boot} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return `${hostname()} ?`
  }
}

/**
 * It returns the time at which a process began, in ticks since the machine did; undefined when there is no process with
 * that number.
 */
const beganAt = (pid: number): string | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name, in brackets, may hold spaces and brackets. The state follows, and the start is the twentieth after it.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return state === 'Z' ? undefined : fields[18]
  } catch {
    return undefined
  }
}

export interface ProcessIdentity {
  readonly host: string
  readonly pid: number
  readonly process: string
}

export const thisProcess = (): ProcessIdentity => ({
  host: hostOf(),
  pid: process.pid,
  process: beganAt(process.pid) ?? 'unknown',
})

/** Only a process of this very machine can be known to be gone. */
export const isKnownGone = (other: ProcessIdentity, here: ProcessIdentity): boolean =>
  other.host === here.host && !other.host.endsWith('?') && beganAt(other.pid) !== other.process
