import type { FastifyRequest } from 'fastify'
import { rangesOf } from '../../config.ts'
import type { Context } from '../../context.ts'
import { ownOrigin } from '../../http/origin/own-origin.ts'

/** It is the full address the application was given: it requests addresses from a manifest as they stand. */
export const doorAddress = ({ config, settings }: Pick<Context, 'config' | 'settings'>) => {
  const trusted = rangesOf(config.trustedProxies)
  return ({ raw }: FastifyRequest): string =>
    `${ownOrigin(raw, config.publicUrl, trusted)}${config.basePath}/${settings.get('compat.prefix')}`
}
