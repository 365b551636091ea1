import type { ScanStatus } from '@carrel/api'

/** A scan of a library has steps, and is followed by the analysis of the books it has listed. */
export interface ScanStep {
  readonly name: 'waiting' | 'looking' | 'listing' | 'reading'
  readonly done: number
  /** Undefined: not known yet. */
  readonly total: number | undefined
  readonly secondsLeft: number | null
}

/** Undefined: nothing goes on. */
export const stepOf = (scan: ScanStatus | undefined, bookCount: number): ScanStep | undefined => {
  if (scan === undefined) return undefined
  const { status, phase, filesProcessed, filesTotal, secondsLeft, analysisPending = 0 } = scan
  if (status === 'pending') return { name: 'waiting', done: 0, total: undefined, secondsLeft: null }
  if (status === 'processing')
    return phase === 'applying'
      ? { name: 'listing', done: filesProcessed, total: filesTotal, secondsLeft }
      : { name: 'looking', done: filesTotal, total: undefined, secondsLeft: null }
  if (analysisPending === 0) return undefined
  const total = Math.max(bookCount, analysisPending)
  return { name: 'reading', done: total - analysisPending, total, secondsLeft: null }
}
