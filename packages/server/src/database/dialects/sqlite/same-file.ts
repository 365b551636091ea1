import { statSync } from 'node:fs'

/** The code of the error, beside those of SQLite. */
const fileReplaced = 'CARREL_FILE_REPLACED'

interface FileReplaced extends Error {
  readonly code: typeof fileReplaced
  /** The log alone is gone: what stands in it can still be put into the database. */
  readonly isLogAlone: boolean
}

export const isFileReplaced = (error: unknown): error is FileReplaced =>
  error instanceof Error && 'code' in error && error.code === fileReplaced

/**
 * A file that was moved or deleted stays with whoever has it open, and so does all that is written to it: the next start would find
 * nothing of that. The function fails when the database or its log is not the file any more that it was when this was first asked.
 */
export const watchSameFile = (file: string): (() => void) => {
  const log = `${file}-wal`
  const identities = new Map<string, string>()
  const isSame = (name: string): boolean => {
    const identity = identityOf(name)
    const before = identities.get(name)
    if (before === undefined && identity) identities.set(name, identity)
    return before === undefined || identity === undefined || identity === before
  }
  return () => {
    const isSameDatabase = isSame(file)
    if (isSameDatabase && isSame(log)) return
    const error = new Error(`${isSameDatabase ? log : file} was moved, replaced or deleted`)
    throw Object.assign(error, { code: fileReplaced, isLogAlone: isSameDatabase })
  }
}

/** Empty: no file has this name. Undefined: the system does not say. */
const identityOf = (name: string): string | undefined => {
  try {
    const stats = statSync(name, { bigint: true, throwIfNoEntry: false })
    return stats ? `${stats.dev} ${stats.ino}` : ''
  } catch {
    return undefined
  }
}
