import type { ServerResponse } from 'node:http'
import type { FastifyReply } from 'fastify'
import { AppError } from '../../platform/errors.ts'

const nobodyWaits = (): AppError => new AppError('unavailable', 'Nobody waits for it any more.')

/** It is aborted when nobody waits for the reply any more. */
export const leftSignal = ({ raw }: Pick<FastifyReply, 'raw'>): AbortSignal => {
  const left = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) left.abort(nobodyWaits())
  })
  return left.signal
}

/** What the reply needs is given back when it is over. Nothing tells of that again where it is over already: then it is refused too. */
export const giveBackAfter = (response: ServerResponse, giveBack: () => void): void => {
  if (!response.destroyed) {
    response.once('close', giveBack)
    return
  }
  giveBack()
  throw nobodyWaits()
}
