import type { Socket } from 'node:net'
import { errorTable } from '@carrel/api'
import type { Config } from '../../config.ts'
import type { AppError } from '../../platform/errors.ts'
import { newId } from '../../platform/ids.ts'
import { networkOf } from '../origin/client-address.ts'
import { errorBody } from '../reply/error-reply.ts'
import { bucketHeaders, type Limiter } from '../rate-limit/rate-limit.ts'
import { securityHeaders } from '../reply/security-headers.ts'

/** Answers, in the shape of every error, what never became a request; and the connection ends. */
export const rawRefusal =
  ({ rateLimitEnabled }: Pick<Config, 'rateLimitEnabled'>, limiter: Limiter) =>
  (socket: Socket, error: AppError, more: Readonly<Record<string, string>> = {}): void => {
    const id = newId()
    const body = JSON.stringify(errorBody(error, id))
    const network = networkOf(socket.remoteAddress ?? '')
    const headers = {
      ...securityHeaders('json'),
      ...(rateLimitEnabled && bucketHeaders(limiter.peek({ kind: 'anonymous', network }))),
      ...more,
      'x-request-id': id,
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      connection: 'close',
    }
    const { status } = errorTable[error.code]
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(
      `HTTP/1.1 ${status} ${status === 405 ? 'Method Not Allowed' : 'Bad Request'}\r\n${lines.join('')}\r\n${body}`,
    )
  }

export type Refuse = ReturnType<typeof rawRefusal>
