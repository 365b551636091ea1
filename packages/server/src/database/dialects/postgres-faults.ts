import { AppError } from '../../platform/errors.ts'

const lostConnection = /^(08...|57P0.|53300|ECONN.*|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/
const lostInWords = /timeout|Connection terminated|Client (was closed|has encountered a connection error)/i

/** The database did not answer, or there was no connection to be had. */
export const isLost = (error: unknown): boolean => lostConnection.test(codeOf(error)) || isLostInWords(error)

/** The driver gives some of its own errors no code. */
const isLostInWords = (error: unknown): boolean =>
  error instanceof Error && !(error instanceof AppError) && !codeOf(error) && lostInWords.test(error.message)

const turnedAway = new WeakSet<Error>()

/** What came instead of a connection is noted, whatever it is: a password that was changed, a database that is gone, a certificate that has expired. */
export const noteNoConnection = (error: unknown): void => {
  if (error instanceof Error && !isLost(error)) turnedAway.add(error)
}

/** There is a database, and it let nobody in. */
export const isTurnedAway = (error: unknown): boolean => error instanceof Error && turnedAway.has(error)

/** PostgreSQL lacks memory or room for what it has to do, or its own files fail it. */
export const lacksMeans = (error: unknown): boolean => /^(53...|58...)$/.test(codeOf(error))

/** All connections of a pool were in use for as long as somebody would wait for one. */
export const isQueueFull = (error: unknown): boolean =>
  error instanceof Error && error.message === 'timeout exceeded when trying to connect'

/** A statement was ended at its limit: it waited for somebody else's lock, or the database has too much to do. */
export const hasTakenTooLong = (error: unknown): boolean => ['57014', '55P03'].includes(codeOf(error))

const unknownAuthority =
  /^(DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT(_LOCALLY)?)$/

/** The certificate is signed by somebody whom this machine does not know. */
export const isOfUnknownAuthority = (error: unknown): boolean => unknownAuthority.test(codeOf(error))

/** PostgreSQL, or a pooler, takes no more connections. */
export const isRefusedAsFull = (error: unknown): boolean => codeOf(error) === '53300'

/** PgBouncer does not know what to do with a limit of a connection that it would hand on. */
export const isRefusedByPooler = (error: unknown): boolean =>
  error instanceof Error && codeOf(error) === '08P01' && error.message.includes('startup parameter')

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
