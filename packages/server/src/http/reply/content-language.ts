import type { Language } from '@carrel/api'
import type { FastifyReply } from 'fastify'

/** A cache between us and the application must not give one reader the words of another. */
export const setContentLanguage = (reply: FastifyReply, language: Language): void => {
  const vary = String(reply.getHeader('vary') ?? '')
  if (!/\baccept-language\b/i.test(vary))
    reply.header('vary', vary === '' ? 'Accept-Language' : `${vary}, Accept-Language`)
  reply.header('content-language', language)
}
