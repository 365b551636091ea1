import type { FastifyRequest } from 'fastify'
import { rangesOf } from '../../config.ts'
import type { Context } from '../../context.ts'
import { ownOrigin } from '../../http/own-origin.ts'

/** The address an application was told, in full: what it finds in a manifest it asks for as it stands. */
export const doorAddress = ({ config, settings }: Pick<Context, 'config' | 'settings'>) => {
  const trusted = rangesOf(config.trustedProxies)
  return ({ raw }: FastifyRequest): string =>
    `${ownOrigin(raw, config.publicUrl, trusted)}${config.basePath}/${settings.get('compat.prefix')}`
}
