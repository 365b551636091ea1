import { type ErrorReply, errorTable, type RateLimitReply } from '@carrel/api'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, tooManyTries } from '../../platform/errors.ts'
import type { Caller } from '../caller.ts'
import { type DoorFrame, doorOf } from '../doors.ts'
import { languageOf } from '../input/language.ts'
import { sentenceOf } from '../../texts/sentence-of.ts'
import { textsIn } from '../../texts/texts.ts'
import { setContentLanguage } from './content-language.ts'

export const tooManyRequests = (seconds: number): AppError => tooManyTries(Math.max(1, seconds), 'Too many requests.')

/** What to send for an error of ours: the one shape of all, and the law's own for the limiter. */
export const errorBody = (error: AppError, requestId: string): ErrorReply | RateLimitReply => {
  const { code, message, reason, values, details, retryAfterSeconds = 1 } = error
  if (code === 'rate_limit_exceeded') return { error: code, message, retry_after: retryAfterSeconds }
  return {
    error: code,
    message,
    ...(reason && { reason }),
    ...(reason && values && { values }),
    ...(details && details.length > 0 && { details }),
    requestId,
  }
}

export const sendError = (error: AppError, request: FastifyRequest, reply: FastifyReply) => {
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', String(error.retryAfterSeconds))
  else if (error.status === 503) reply.header('retry-after', '5')
  request.refused = error
  const door = doorOf(request)
  if (error.code === 'not_authenticated') {
    const challenge = door ? door.challenge(request) : challengeFor(request)
    if (challenge !== undefined) reply.header('www-authenticate', challenge)
  }
  reply.header('cache-control', 'no-store')
  reply.code(errorTable[error.code].status).type('application/json; charset=utf-8')
  if (door && error.code !== 'rate_limit_exceeded') return sendAtDoor(door, error, { request, reply })
  return reply.send(JSON.stringify(errorBody(error, request.id)))
}

interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** Applications at doors show people what they get. */
const sendAtDoor = async (door: DoorFrame, error: AppError, { request, reply }: Exchange) => {
  const texts = await textsIn(languageOf(request))
  setContentLanguage(reply, texts.language)
  const refusal = { error, texts, sentence: sentenceOf(error, texts, request.id) }
  // Bytes are sent because a charset would be added to a text of JSON, and a door says its own types to the letter.
  return reply.send(Buffer.from(door.refusal(refusal, request, reply)))
}

export const basicChallenge = 'Basic realm="Carrel", charset="UTF-8"'

/** Only a door that takes Basic asks for it: a browser would show its own sign-in window. */
const challengeFor = (request: FastifyRequest): string =>
  request.route?.endpoint?.shape.schemes?.includes('basic') ? basicChallenge : 'Bearer realm="Carrel"'

export const permissionMissing = (permission: string, caller: Caller): AppError =>
  new AppError(
    'not_allowed',
    `This needs the permission ${permission}, which ${caller.by.kind === 'key' ? 'this key' : 'your account'} does not have.`,
    { reason: 'permission_missing', values: { permission } },
  )

/** Faults of the HTTP layer, in our words. Undefined: it is none of these but a fault of ours. */
export const fromFramework = (error: FastifyError): AppError | undefined => {
  switch (error.code) {
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new AppError('unsupported_media_type', 'Send the body as application/json.', { cause: error })
    case 'FST_ERR_BAD_URL':
      return new AppError(
        'malformed_request',
        'The address is not valid: a percent sign must be followed by two hexadecimal digits.',
        { cause: error },
      )
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return new AppError('malformed_request', 'The body is not as long as its Content-Length says.', { cause: error })
    default:
      return error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500
        ? couldNotBeRead(error)
        : undefined
  }
}

const shortages = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN'])

/** The system has no descriptor, process or memory left for it. Undefined: it is none of these. */
export const shortageOf = (error: FastifyError): AppError | undefined =>
  shortages.has(error.code)
    ? new AppError('unavailable', 'The server has too much to do at once. Try again in a moment.', {
        retryAfterSeconds: 5,
        cause: error,
      })
    : undefined

export const couldNotBeRead = (cause?: unknown): AppError =>
  new AppError('malformed_request', 'The request could not be read.', { cause })

export const internalError = (cause: unknown): AppError =>
  new AppError('internal_error', 'Something went wrong on our side. The log has the details under this request id.', {
    cause,
  })
