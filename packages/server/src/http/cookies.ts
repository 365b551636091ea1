import type { FastifyReply } from 'fastify'
import type { Config } from '../config.ts'

export const sessionCookie = 'carrel_session'
const lifeSeconds = 30 * 24 * 60 * 60

type Where = Pick<Config, 'basePath' | 'publicUrl'>

const attributes = ({ basePath, publicUrl }: Where) =>
  ({ path: basePath || '/', httpOnly: true, sameSite: 'lax', secure: publicUrl?.protocol === 'https:' }) as const

export const setSessionCookie = (reply: FastifyReply, where: Where, value: string): void => {
  void reply.setCookie(sessionCookie, value, { ...attributes(where), maxAge: lifeSeconds })
}

export const clearSessionCookie = (reply: FastifyReply, where: Where): void => {
  void reply.clearCookie(sessionCookie, attributes(where))
}
