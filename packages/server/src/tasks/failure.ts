import type { TaskFailure } from '@carrel/api'
import { AppError } from '../platform/errors.ts'

/** A failure as a code for programs, and as a sentence for logs and reports. */
export interface Failure extends TaskFailure {
  readonly message: string
}

const messageLengthMax = 4000

export const failureOf = (error: unknown): Failure => {
  const message = shortened(error instanceof Error ? error.message : String(error))
  if (!(error instanceof AppError)) return { code: 'fault', message }
  const { code, reason, values } = error
  return { code, message, ...(reason && { reason }), ...(reason && values && { values }) }
}

const shortened = (text: string): string =>
  text.length <= messageLengthMax ? text : `${text.slice(0, messageLengthMax - 1)}…`

/** Both go into one column, whose rows of before hold the sentence alone: a queue is changed by several versions at a time. */
export const writtenFailure = (failure: Failure): string => JSON.stringify(failure)

export const readFailure = (
  text: string | null,
): { readonly lastError: string | null; readonly lastFailure: TaskFailure | null } => {
  const failure = text?.startsWith('{"code":') ? parsed(text) : undefined
  if (!failure) return { lastError: text, lastFailure: null }
  const { message, ...lastFailure } = failure
  return { lastError: message, lastFailure }
}

const parsed = (text: string): Failure | undefined => {
  try {
    return JSON.parse(text) as Failure
  } catch {
    return undefined
  }
}
