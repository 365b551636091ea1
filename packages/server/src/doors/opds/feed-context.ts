import type { Permission } from '@carrel/api'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Config, rangesOf } from '../../config.ts'
import type { Caller } from '../../http/caller.ts'
import { languageOf } from '../../http/input/language.ts'
import { ownOrigin } from '../../http/origin/own-origin.ts'
import { setContentLanguage } from '../../http/reply/content-language.ts'
import { type Texts, textsIn } from '../../texts/texts.ts'
import type { FeedContext } from './feed.ts'

const none: ReadonlySet<Permission> = new Set()

type AskingCaller = Pick<Caller, 'permissions'> & Partial<Pick<Caller, 'downloadMetadata'>>

/** It works out at which address the caller reaches us. */
export const feedContextsFrom = ({ publicUrl, basePath, trustedProxies }: Config) => {
  const trusted = rangesOf(trustedProxies)
  return (request: FastifyRequest, texts: Texts, caller?: AskingCaller): FeedContext => ({
    origin: ownOrigin(request.raw, publicUrl, trusted),
    basePath,
    permissions: caller?.permissions ?? none,
    embedsMetadata: caller?.downloadMetadata === 'embedded',
    texts,
  })
}

export type FeedContexts = (
  exchange: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  caller?: AskingCaller,
) => Promise<FeedContext>

/** The same for what is answered; a caller who has not signed in may ask only for what is open. */
export const spokenContextsFrom = (config: Config): FeedContexts => {
  const feedContextOf = feedContextsFrom(config)
  return async ({ request, reply }, caller) => {
    const texts = await textsIn(languageOf(request))
    setContentLanguage(reply, texts.language)
    return feedContextOf(request, texts, caller)
  }
}
