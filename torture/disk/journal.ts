import { readFileSync } from 'node:fs'
import { type Call, calls } from './plan.ts'

/** One change of the disk, as disk.c has written it down. */
export interface Change {
  readonly call: Call
  readonly path: string
  /** The new name, of a rename or a link. */
  readonly other: string
  readonly data: Buffer
  readonly inode: bigint
  /** Where data was written, or how long the file was made. */
  readonly offset: number
  /** How long the journal was when a flush began: what came later it may not have flushed. */
  readonly begunAt: number
  /** Its own place in the journal, and that of what comes next. */
  readonly at: number
  readonly end: number
}

const headBytes = 40
const nameOf = new Map(Object.entries(calls).map(([name, number]) => [number as number, name as Call]))

export const readJournal = (file: string): Change[] => {
  const journal = readFileSync(file)
  const changes: Change[] = []
  for (let at = 0; at < journal.length;) {
    const call = nameOf.get(journal.readUInt32LE(at))
    if (call === undefined) throw new Error(`No record at ${at} of the journal`)
    const pathEnd = at + headBytes + journal.readUInt32LE(at + 4)
    const otherEnd = pathEnd + journal.readUInt32LE(at + 8)
    const end = otherEnd + journal.readUInt32LE(at + 12)
    changes.push({
      call,
      path: journal.toString('utf8', at + headBytes, pathEnd),
      other: journal.toString('utf8', pathEnd, otherEnd),
      data: journal.subarray(otherEnd, end),
      inode: journal.readBigUInt64LE(at + 16),
      offset: Number(journal.readBigUInt64LE(at + 24)),
      begunAt: Number(journal.readBigUInt64LE(at + 32)),
      at,
      end,
    })
    at = end
  }
  return changes
}
