/** It returns SQLite's code of an error, or an empty text. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

/** The file, or the disk below it, is damaged: what would be written to it could be lost. */
const damage = /^SQLITE_(CORRUPT|NOTADB|IOERR_READ|IOERR_SHORT_READ|IOERR_DATA|IOERR_CORRUPTFS)/

export const isDamage = (error: unknown): boolean => damage.test(codeOf(error))

/** The disk takes nothing for now, as a network folder that is away or a device that may only be read. */
const refusesWrites = /^SQLITE_(IOERR_(WRITE|FSYNC|DIR_FSYNC|TRUNCATE|DELETE)|READONLY)/

export const isRefusedByDisk = (error: unknown): boolean => refusesWrites.test(codeOf(error))

/** Another file, or none, has the name of the one that is open (same-file.ts): no code of SQLite says so. */
export const fileReplacedCode = 'CARREL_FILE_REPLACED'

export const isFileReplaced = (error: unknown): boolean => codeOf(error) === fileReplacedCode
