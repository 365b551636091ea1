import type { FastifyReply } from 'fastify'
import type { Context } from '../../../context.ts'

/** The names are those the applications know: some look for exactly these. */
export const sessionCookie = 'KOMGA-SESSION'
export const rememberCookie = 'komga-remember-me'

type Where = Pick<Context, 'config' | 'settings'>

/**
 * The cookie is set for the path with and without a slash at the end: one application keeps only cookies whose path is
 * that of the address typed.
 */
const pathsOf = ({ config, settings }: Where): readonly string[] => {
  const path = `${config.basePath}/${settings.get('compat.prefix')}`
  return [`${path}/`, path]
}

/** The header is written by hand: an application that keeps no cookies is sent them with every cover. */
const written = (where: Where, nameAndValue: string, life: string): string[] => {
  const secure = where.config.publicUrl?.protocol === 'https:' ? '; Secure' : ''
  return pathsOf(where).map((path) => `${nameAndValue}${life}; Path=${path}; HttpOnly${secure}; SameSite=Lax`)
}

export const setCookieAtDoor = (
  reply: FastifyReply,
  where: Where,
  { name, value, seconds }: { readonly name: string; readonly value: string; readonly seconds?: number },
): void => {
  const life = seconds === undefined ? '' : `; Max-Age=${seconds}`
  void reply.header('set-cookie', written(where, `${name}=${encodeURIComponent(value)}`, life))
}

export const clearCookiesAtDoor = (reply: FastifyReply, where: Where): void => {
  for (const name of [sessionCookie, rememberCookie])
    void reply.header('set-cookie', written(where, `${name}=`, '; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT'))
}
