import { type Stats, statSync } from 'node:fs'
import type Sqlite from 'better-sqlite3'
import { fileReplacedCode } from './codes.ts'

/**
 * A file that was moved or deleted stays with whoever has it open, and so does all that is written to it: the next start would find
 * nothing of that. Both functions fail while the database or its log is not the file that it was at first.
 */
export const openSameFile = (database: Sqlite.Database, file: string) => {
  const log = `${file}-wal`
  const first = new Map<string, Stats>()
  let isReplaced = false

  const isSame = (name: string): boolean => {
    const now = look(name)
    const before = first.get(name)
    if (before === undefined && now) first.set(name, now)
    return (
      before === undefined || now === undefined || (now !== null && now.ino === before.ino && now.dev === before.dev)
    )
  }
  const requireSame = (): void => {
    const isSameDatabase = isSame(file)
    isReplaced = !(isSameDatabase && isSame(log))
    if (!isReplaced) return
    // The log alone is gone: what stands in it was acknowledged, and can still be put into the database.
    if (isSameDatabase && !database.inTransaction) database.pragma('wal_checkpoint')
    const error = new Error(`${isSameDatabase ? log : file} was moved, replaced or deleted`)
    throw Object.assign(error, { code: fileReplacedCode })
  }
  requireSame()
  return {
    /** It takes a fiftieth of a small write, so that it is asked once for each. */
    requireSame,
    /** Nothing more is begun until a file that was missed is back. */
    requireBack: (): void => {
      if (isReplaced) requireSame()
    },
  }
}

/** Null: no file has this name. Undefined: the system does not say. */
const look = (name: string): Stats | null | undefined => {
  try {
    return statSync(name, { throwIfNoEntry: false }) ?? null
  } catch {
    return undefined
  }
}
