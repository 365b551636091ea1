import { isDamage } from '../../database/dialects/sqlite/codes.ts'
import { AppError } from '../../platform/errors.ts'

const noRoom = ['ENOSPC', 'EDQUOT', 'EFBIG', 'SQLITE_FULL']
const noWay = [
  'EROFS',
  'EACCES',
  'EPERM',
  'ENOTDIR',
  'ENOENT',
  'SQLITE_READONLY',
  'SQLITE_CANTOPEN',
  'SQLITE_IOERR',
  'EIO',
]

const noDatabase =
  /^(ECONN.*|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EPIPE|08...|28...|3D000|42501|53300|57P0.)$/

interface Attempt {
  /** The files were written here. */
  readonly folder: string
  /** The sentence ends with it. */
  readonly outcome: string
}

/** It words an error that an operator can act on; any other error stays as it is. */
export const explained = (error: unknown, { folder, outcome }: Attempt): unknown => {
  if (!(error instanceof Error) || !('code' in error)) return error
  const code = String(error.code)
  if (noRoom.includes(code) || /database or disk is full/.test(error.message))
    return new AppError('disk_full', `There is no room left in ${folder}: ${outcome}.`, { cause: error })
  if (isDamage(error))
    return new AppError(
      'unavailable',
      `The database is damaged, or is no database of Carrel's (${error.message}): ${outcome}. Put a backup in its place: carrel restore FILE.`,
      { cause: error },
    )
  if (noDatabase.test(code))
    return new AppError('unavailable', `The database refuses or cannot be reached (${error.message}): ${outcome}.`, {
      cause: error,
    })
  const isInTheWay = code === 'EEXIST'
  if (isInTheWay && 'syscall' in error && error.syscall !== 'mkdir')
    return new AppError('conflict', `There is such a file already in ${folder}: nothing was written over.`, {
      cause: error,
    })
  if (isInTheWay || noWay.some((each) => code.startsWith(each)))
    return new AppError('unavailable', `Nothing can be written to ${folder} (${error.message}): ${outcome}.`, {
      cause: error,
      reason: 'folder_unwritable',
      values: { path: folder },
    })
  return error
}
