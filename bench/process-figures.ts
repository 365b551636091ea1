import { readdirSync, readFileSync } from 'node:fs'

const tickUs = 10_000

/** User and system time a process has used so far, all its threads together. The kernel counts it in steps of 10 ms. */
export const cpuUsOf = (pid: number): number => {
  const fields = statusFields(pid)
  return (Number(fields[11]) + Number(fields[12])) * tickUs
}

/** The same of a process and all it started, those that have ended included. */
export const cpuUsOfAll = (pid: number): number =>
  [pid, ...descendantsOf(pid)].reduce((sum, each) => sum + usOfItAndItsEnded(each), 0)

const usOfItAndItsEnded = (pid: number): number => {
  try {
    return statusFields(pid)
      .slice(11, 15)
      .reduce((us, ticks) => us + Number(ticks) * tickUs, 0)
  } catch {
    // It ended since the list was read.
    return 0
  }
}

/** User and system time of all a process has started that have ended. */
export const cpuUsOfEnded = (pid: number): number => {
  const fields = statusFields(pid)
  return (Number(fields[13]) + Number(fields[14])) * tickUs
}

/** It finds the children of a process whose command line holds this word. */
export const childrenNamed = (pid: number, word: string): number[] =>
  descendantsOf(pid).filter((each) => readFileSync(`/proc/${each}/cmdline`, 'utf8').includes(word))

/** It counts what a process has read so far, from the disk or from the page cache. */
export const bytesReadBy = (pid: number): number =>
  Number(/^rchar: (\d+)$/m.exec(readFileSync(`/proc/${pid}/io`, 'utf8'))?.[1])

/**
 * CPU time of a process and all it started, to the microsecond, as long as no thread ends. Ticks would do for work but
 * not for idling: what wakes up by a timer can hide between two of them.
 */
export const exactCpuUsOfAll = (pid: number): number =>
  [pid, ...descendantsOf(pid)].reduce((sum, each) => sum + exactCpuUsOf(each), 0)

export const exactCpuUsOf = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
    const [ns] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')
    return sum + Number(ns) / 1000
  }, 0)

/** Memory of a process and all it started, each page shared by n processes counted as an n-th. */
export const pssBytesOf = (pid: number): { readonly own: number; readonly all: number } => {
  const own = pssBytes(pid)
  return { own, all: descendantsOf(pid).reduce((sum, each) => sum + pssBytesOrNone(each), own) }
}

/** It may have ended since. */
const pssBytesOrNone = (pid: number): number => {
  try {
    return pssBytes(pid)
  } catch {
    return 0
  }
}

const pssBytes = (pid: number): number => {
  const [, kib] = /^Pss: +(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? []
  if (kib === undefined) throw new Error(`The kernel does not say how much memory process ${pid} has`)
  return Number(kib) * 1024
}

const descendantsOf = (pid: number): number[] => {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const parent = parentOf(Number(name))
    if (parent !== undefined) parents.set(Number(name), parent)
  }
  const below = (ancestor: number): number[] =>
    [...parents].filter(([, parent]) => parent === ancestor).flatMap(([child]) => [child, ...below(child)])
  return below(pid)
}

const parentOf = (pid: number): number | undefined => {
  try {
    return Number(statusFields(pid)[1])
  } catch {
    // It ended since the list was read.
    return undefined
  }
}

/** It returns the fields after the name, which may itself hold blanks and brackets. */
const statusFields = (pid: number): string[] => {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}
