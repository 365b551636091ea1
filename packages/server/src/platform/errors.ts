import { type ConflictReason, type ErrorCode, type ErrorReply, errorTable } from '@carrel/api'

interface Extras extends ErrorOptions {
  readonly details?: NonNullable<ErrorReply['details']>
  readonly retryAfterSeconds?: number
  readonly reason?: ConflictReason
}

/** A failure the caller can act on. Anything else that is thrown is a bug and becomes a 500. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly details: ErrorReply['details']
  readonly retryAfterSeconds: number | undefined
  readonly reason: ConflictReason | undefined

  constructor(code: ErrorCode, message: string, { details, retryAfterSeconds, reason, ...options }: Extras = {}) {
    super(message, options)
    this.code = code
    this.details = details
    this.retryAfterSeconds = retryAfterSeconds
    this.reason = reason
  }

  get status(): number {
    return errorTable[this.code].status
  }
}

export const notFound = (what: string) => new AppError('not_found', `There is no such ${what}.`)

/** Nothing can be written for now, or until somebody has acted: reading goes on. */
export const cannotBeSaved = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'disk_full' || error.code === 'read_only')

/** A value that is of the right type and still not acceptable, with where it stands. */
export const invalid = (path: string, message: string) =>
  new AppError('validation_failed', message, { details: [{ path, message }] })

/** What stands in the way of moving, merging or putting back. */
export const conflict = (reason: ConflictReason, message: string) => new AppError('conflict', message, { reason })

export const stopping = () => new AppError('unavailable', 'The server is stopping.', { retryAfterSeconds: 5 })

export const tooManyTries = (retryAfterSeconds: number, cause: string) =>
  new AppError('rate_limit_exceeded', `${cause} Try again in ${secondsInWords(retryAfterSeconds)}.`, {
    retryAfterSeconds,
  })

const secondsInWords = (seconds: number): string => (seconds === 1 ? '1 second' : `${seconds} seconds`)
