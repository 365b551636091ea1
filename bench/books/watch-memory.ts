import { pssBytesOf } from '../process-figures.ts'

const sampleEveryMs = 250

export interface MemoryWatch extends Disposable {
  /** The most that a process and all it started had together when they were looked at. */
  peakBytes(): number
}

export const watchMemory = (pid: number): MemoryWatch => {
  let peak = 0
  const sample = (): void => {
    peak = Math.max(peak, pssBytesOf(pid).all)
  }
  const timer = setInterval(sample, sampleEveryMs)
  return { peakBytes: () => peak, [Symbol.dispose]: () => clearInterval(timer) }
}
