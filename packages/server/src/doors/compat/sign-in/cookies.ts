import type { FastifyReply } from 'fastify'
import type { Context } from '../../../context.ts'

/** Named as the applications know them: some look for exactly these. */
export const sessionCookie = 'KOMGA-SESSION'
export const rememberCookie = 'komga-remember-me'

type Where = Pick<Context, 'config' | 'settings'>

/** With and without a slash at the end: one application keeps only cookies whose path is that of the address typed. */
const pathsOf = ({ config, settings }: Where): readonly string[] => {
  const path = `${config.basePath}/${settings.get('compat.prefix')}`
  return [`${path}/`, path]
}

const attributes = ({ config }: Where) =>
  ({ httpOnly: true, sameSite: 'lax', secure: config.publicUrl?.protocol === 'https:' }) as const

export const setCookieAtDoor = (
  reply: FastifyReply,
  where: Where,
  { name, value, seconds }: { readonly name: string; readonly value: string; readonly seconds?: number },
): void => {
  for (const path of pathsOf(where))
    void reply.setCookie(name, value, { ...attributes(where), path, ...(seconds !== undefined && { maxAge: seconds }) })
}

export const clearCookiesAtDoor = (reply: FastifyReply, where: Where): void => {
  for (const name of [sessionCookie, rememberCookie])
    for (const path of pathsOf(where)) void reply.clearCookie(name, { ...attributes(where), path })
}
