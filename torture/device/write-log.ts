import { closeSync, openSync, readSync } from 'node:fs'

/** A change of a device, or a flush of all that came before it. */
export interface DeviceChange {
  readonly kind: 'write' | 'zero' | 'flush'
  /** Where on the device, and how much, in bytes. */
  readonly offset: number
  readonly length: number
}

/** What was written to a device, in order: many times what fits into memory, so that data is read where it is needed. */
export interface WriteLog extends Disposable {
  readonly changes: readonly DeviceChange[]
  dataOf(change: DeviceChange): Buffer
}

// The form of the kernel's dm-log-writes, which QEMU's driver blklogwrites writes as well.
const magic = 0x6a736677736872n
const flags = { flush: 1, throughCache: 2, discard: 4, mark: 8 }
/** Heads of entries take a sector each, as the one of the whole log does. */
const sectorBytes = 512

interface Logged extends DeviceChange {
  /** Where its data lies in the log. */
  readonly at: number
}

/** It counts the changes that are in a log so far, while it is being written. */
export const countChanges = (file: string): number => {
  const log = openSync(file, 'r')
  try {
    const head = Buffer.alloc(sectorBytes)
    return readSync(log, head, 0, sectorBytes, 0) === sectorBytes ? Number(head.readBigUInt64LE(16)) : 0
  } finally {
    closeSync(log)
  }
}

export const openWriteLog = (file: string): WriteLog => {
  const log = openSync(file, 'r')
  const sectorAt = (at: number): Buffer => {
    const sector = Buffer.alloc(sectorBytes)
    if (readSync(log, sector, 0, sectorBytes, at) !== sectorBytes) throw new Error(`${file} ends at ${at}`)
    return sector
  }
  const head = sectorAt(0)
  if (head.readBigUInt64LE(0) !== magic || head.readUInt32LE(24) !== sectorBytes)
    throw new Error(`${file} is no log of writes`)
  const count = Number(head.readBigUInt64LE(16))
  const changes: Logged[] = []
  for (let at = sectorBytes; changes.length < count;) {
    const entry = sectorAt(at)
    const flag = Number(entry.readBigUInt64LE(16))
    if (flag & (flags.throughCache | flags.mark)) throw new Error(`An entry of ${file} has the flags ${flag}`)
    const offset = Number(entry.readBigUInt64LE(0)) * sectorBytes
    const length = Number(entry.readBigUInt64LE(8)) * sectorBytes
    at += sectorBytes
    const kind = flag & flags.flush ? 'flush' : flag & flags.discard ? 'zero' : 'write'
    changes.push({ kind, offset, length, at })
    if (kind === 'write') at += length
  }
  return {
    changes,
    dataOf: (change) => {
      const data = Buffer.alloc(change.length)
      if (change.kind === 'write') readSync(log, data, 0, change.length, (change as Logged).at)
      return data
    },
    [Symbol.dispose]: () => closeSync(log),
  }
}
