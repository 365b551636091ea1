import { readFileSync } from 'node:fs'

const descriptorsMax = (): number =>
  Number(/^Max open files\s+\d+\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? Infinity)

/** It is for tests with a connection for each of very many clients: they are skipped where a process may not have so many. */
export const requireDescriptors = (needed: number, skip: (note: string) => void): void => {
  if (descriptorsMax() >= needed) return
  const note = `NOT TESTED: what needs ${needed} files that are open at once, because a process may open ${descriptorsMax()} (ulimit -Hn)`
  console.warn(note)
  skip(note)
}
