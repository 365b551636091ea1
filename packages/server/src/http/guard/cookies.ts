import type { FastifyReply } from 'fastify'
import type { Config } from '../../config.ts'

export const sessionCookie = 'carrel_session'
/** Browsers keep a cookie no longer: the session slides on from its last use, and it is the server that ends it. */
const lifeSeconds = 400 * 24 * 60 * 60

/** Marks the browser that has begun to sign in through a provider, so that no other can finish it. */
export const beginningCookie = 'carrel_oidc'

type Where = Pick<Config, 'basePath' | 'publicUrl'>

const attributes = ({ basePath, publicUrl }: Where) =>
  ({ path: basePath || '/', httpOnly: true, sameSite: 'lax', secure: publicUrl?.protocol === 'https:' }) as const

export const setSessionCookie = (reply: FastifyReply, where: Where, value: string): void => {
  void reply.setCookie(sessionCookie, value, { ...attributes(where), maxAge: lifeSeconds })
}

export const clearSessionCookie = (reply: FastifyReply, where: Where): void => {
  void reply.clearCookie(sessionCookie, attributes(where))
}

/** Seen only below `path`, and no longer than a sign-in may take. */
export const setBeginningCookie = (
  reply: FastifyReply,
  where: Where,
  { value, path, seconds }: { value: string; path: string; seconds: number },
): void => {
  void reply.setCookie(beginningCookie, value, {
    ...attributes(where),
    path: where.basePath + path,
    maxAge: seconds,
  })
}
