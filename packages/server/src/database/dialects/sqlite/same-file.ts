import { type Stats, statSync } from 'node:fs'
import { fileReplacedCode } from './codes.ts'

/** Its code goes from thread to thread, as those of SQLite do. */
export class FileReplaced extends Error {
  readonly code = fileReplacedCode
  /** The log alone is gone: what stands in it can still be put into the database. */
  readonly isLogAlone: boolean

  constructor(file: string, isLogAlone: boolean) {
    super(`${file} was moved, replaced or deleted`)
    this.isLogAlone = isLogAlone
  }
}

/**
 * A file that was moved or deleted stays with whoever has it open, and so does all that is written to it: the next start would find
 * nothing of that. The function fails when the database or its log is not the file any more that it was when this was first asked.
 */
export const watchSameFile = (file: string): (() => void) => {
  const log = `${file}-wal`
  const first = new Map<string, Stats>()
  const isSame = (name: string): boolean => {
    const now = look(name)
    const before = first.get(name)
    if (before === undefined && now) first.set(name, now)
    return (
      before === undefined || now === undefined || (now !== null && now.ino === before.ino && now.dev === before.dev)
    )
  }
  return () => {
    const isSameDatabase = isSame(file)
    if (isSameDatabase && isSame(log)) return
    throw new FileReplaced(isSameDatabase ? log : file, isSameDatabase)
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
