import {
  type ConflictReason,
  type ErrorCode,
  type ErrorReply,
  errorTable,
  type ProblemReason,
  type ProblemValues,
} from '@carrel/api'

/** A program says it in its own language with these. */
export interface Because {
  readonly reason: ProblemReason
  readonly values?: ProblemValues
}

interface Extras extends ErrorOptions, Partial<Because> {
  readonly details?: NonNullable<ErrorReply['details']>
  readonly retryAfterSeconds?: number
}

/** A failure the caller can act on. Anything else that is thrown is a bug and becomes a 500. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly details: ErrorReply['details']
  readonly retryAfterSeconds: number | undefined
  readonly reason: ProblemReason | undefined
  readonly values: ProblemValues | undefined

  constructor(code: ErrorCode, message: string, extras: Extras = {}) {
    const { details, retryAfterSeconds, reason, values, ...options } = extras
    super(message, options)
    this.code = code
    this.details = details
    this.retryAfterSeconds = retryAfterSeconds
    this.reason = reason
    this.values = values
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
export const invalid = (path: string, message: string, because?: Because) =>
  new AppError('validation_failed', message, { details: [{ path, message }], ...because })

/** There are as many as there may be. */
export const full = (most: number, message: string) =>
  new AppError('conflict', message, { reason: 'limit_reached', values: { most } })

export const nameTaken = (name: string, message: string) =>
  new AppError('already_exists', message, { reason: 'name_taken', values: { name } })

/** What stands in the way of moving, merging or putting back. */
export const conflict = (reason: ConflictReason, message: string) => new AppError('conflict', message, { reason })

export const stopping = () => new AppError('unavailable', 'The server is stopping.', { retryAfterSeconds: 5 })

/** Between the look at a row and the write that refers to it somebody has deleted it: who asks again is told that it is not there. */
export const goneMeanwhile = (cause: unknown): AppError =>
  new AppError('unavailable', 'What this belongs to has just been deleted. Try again in a moment.', {
    retryAfterSeconds: 1,
    cause,
  })

export const tooManyTries = (retryAfterSeconds: number, cause: string) =>
  new AppError('rate_limit_exceeded', `${cause} Try again in ${secondsInWords(retryAfterSeconds)}.`, {
    retryAfterSeconds,
  })

const secondsInWords = (seconds: number): string => (seconds === 1 ? '1 second' : `${seconds} seconds`)
