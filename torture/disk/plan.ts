import { readFileSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'

/** The kinds of calls, as disk.c numbers them. */
export const calls = {
  write: 1,
  sync: 2,
  truncate: 4,
  rename: 8,
  link: 16,
  unlink: 32,
  create: 64,
  mkdir: 128,
  /** A flush has failed: Linux counts what it was about as written, and never writes it. */
  drop: 256,
} as const
export type Call = keyof typeof calls

const actions = { nothing: 0, fail: 1, kill: 2, delay: 3, pretend: 4 } as const

const bytes = 112
const offsets = { action: 0, calls: 4, error: 8, delayMs: 12, from: 16, until: 24, count: 32, hits: 40, ending: 48 }

/** Calls with these numbers are met, counted from the moment at which the plan is made. */
interface Which {
  readonly calls: readonly Call[]
  /** The number of the first call that is met; none without it, they are only counted. */
  readonly from?: number
  /** The last call that it meets; without it all from the first on. */
  readonly until?: number
  /** Only files whose path ends so. */
  readonly ending?: string
}

export interface Plan {
  /** The calls fail with this error, and nothing is done. */
  fail(which: Which, error: 'EIO' | 'ENOSPC' | 'EROFS'): void
  /** The process ends before the call is made, as by `kill -9`. */
  kill(which: Which): void
  delay(which: Which, milliseconds: number): void
  /** The calls say that they have done it, and have not. */
  pretend(which: Which): void
  /** Calls are counted, and none is met. */
  count(which: Which): void
  end(): void
  /** How many calls of the kind there have been. */
  counted(): number
  /** How many were met. */
  hits(): number
}

export const makePlan = (file: string): Plan => {
  const put = (action: keyof typeof actions, which: Which, error = 0, delayMs = 0): void => {
    const plan = Buffer.alloc(bytes)
    plan.writeUInt32LE(
      which.calls.reduce((mask, call) => mask | calls[call], 0),
      offsets.calls,
    )
    plan.writeUInt32LE(error, offsets.error)
    plan.writeUInt32LE(delayMs, offsets.delayMs)
    plan.writeBigUInt64LE(which.from === undefined ? 0xffff_ffff_ffff_ffffn : BigInt(which.from), offsets.from)
    plan.writeBigUInt64LE(which.until === undefined ? 0xffff_ffff_ffff_ffffn : BigInt(which.until), offsets.until)
    plan.write(which.ending ?? '', offsets.ending)
    // Nobody may see half of a plan: it begins to count with the last write.
    writeFileSync(file, plan, { flag: 'r+' })
    plan.writeUInt32LE(actions[action], offsets.action)
    writeFileSync(file, plan.subarray(0, offsets.calls), { flag: 'r+' })
  }
  const numberAt = (offset: number): number => Number(readFileSync(file).readBigUInt64LE(offset))
  writeFileSync(file, Buffer.alloc(bytes))
  return {
    fail: (which, error) => put('fail', which, constants.errno[error as keyof typeof constants.errno]),
    kill: (which) => put('kill', which),
    delay: (which, milliseconds) => put('delay', which, 0, milliseconds),
    pretend: (which) => put('pretend', which),
    count: (which) => put('delay', which, 0, 0),
    end: () => {
      const nothing = Buffer.alloc(4)
      writeFileSync(file, nothing, { flag: 'r+' })
    },
    counted: () => numberAt(offsets.count),
    hits: () => numberAt(offsets.hits),
  }
}
