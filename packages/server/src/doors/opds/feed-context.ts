import type { IncomingMessage } from 'node:http'
import type { Permission } from '@carrel/api'
import { type Config, rangesOf } from '../../config.ts'
import type { Caller } from '../../http/caller.ts'
import { ownOrigin } from '../../http/origin/own-origin.ts'
import type { FeedContext } from './feed.ts'

const none: ReadonlySet<Permission> = new Set()

/**
 * It works out at which address the caller reaches us; a caller who has not signed in may ask only for what is open.
 */
export const feedContextsFrom = ({ publicUrl, basePath, trustedProxies }: Config) => {
  const trusted = rangesOf(trustedProxies)
  return (request: IncomingMessage, caller?: Pick<Caller, 'permissions'>): FeedContext => ({
    origin: ownOrigin(request, publicUrl, trusted),
    basePath,
    permissions: caller?.permissions ?? none,
  })
}
