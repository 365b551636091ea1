import type { IncomingMessage } from 'node:http'
import { type Config, rangesOf } from '../../config.ts'
import { ownOrigin } from '../../http/own-origin.ts'
import type { Place } from './feed.ts'

/** Where whoever asks has found us. */
export const placesOf = ({ publicUrl, basePath, trustedProxies }: Config) => {
  const trusted = rangesOf(trustedProxies)
  return (request: IncomingMessage): Place => ({ origin: ownOrigin(request, publicUrl, trusted), basePath })
}
