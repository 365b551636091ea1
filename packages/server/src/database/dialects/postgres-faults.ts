import { AppError } from '../../platform/errors.ts'

const lostConnection = /^(08...|57P0.|53300|ECONN.*|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/
const lostInWords = /timeout|Connection terminated|Client (was closed|has encountered a connection error)/i

/** The database did not answer, or there was no connection to be had. */
export const isLost = (error: unknown): boolean => lostConnection.test(codeOf(error)) || isLostInWords(error)

/** The driver gives some of its own errors no code. */
const isLostInWords = (error: unknown): boolean =>
  error instanceof Error && !(error instanceof AppError) && !codeOf(error) && lostInWords.test(error.message)

/** All connections of a pool were in use for as long as somebody would wait for one. */
export const isQueueFull = (error: unknown): boolean =>
  error instanceof Error && error.message === 'timeout exceeded when trying to connect'

/** A statement was ended at its limit: it waited for somebody else's lock, or the database has too much to do. */
export const hasTakenTooLong = (error: unknown): boolean => codeOf(error) === '57014'

/** PostgreSQL, or a pooler, takes no more connections. */
export const isRefusedAsFull = (error: unknown): boolean => codeOf(error) === '53300'

/** PgBouncer does not know what to do with a limit of a connection that it would hand on. */
export const isRefusedByPooler = (error: unknown): boolean =>
  error instanceof Error && codeOf(error) === '08P01' && error.message.includes('startup parameter')

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
