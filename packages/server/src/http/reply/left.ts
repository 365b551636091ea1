import type { FastifyReply } from 'fastify'
import { AppError } from '../../platform/errors.ts'

/** It is aborted when nobody waits for the reply any more. */
export const leftSignal = ({ raw }: Pick<FastifyReply, 'raw'>): AbortSignal => {
  const left = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) left.abort(new AppError('unavailable', 'Nobody waits for it any more.'))
  })
  return left.signal
}
