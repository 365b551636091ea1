import type { FastifyRequest } from 'fastify'
import { credentialInHeaders } from '../../../http/authenticate.ts'
import type { Credential } from '../../../http/caller.ts'
import { rememberCookie, sessionCookie } from './cookies.ts'

/** Where this door looks for credentials, the first place deciding. Whoever sends an empty `X-Auth-Token` wants one. */
export const compatCredential = (request: FastifyRequest): Credential | 'unreadable' | undefined => {
  const inHeaders = credentialInHeaders(request)
  if (inHeaders !== undefined) return inHeaders
  const values = sessionTokens(request)
  return values.length > 0 ? { scheme: 'cookie', door: 'compat', values } : undefined
}

/** What a request carries that a session of this door may be known by. A short session may be over while the long one goes on. */
const sessionTokens = ({ headers, cookies }: FastifyRequest): string[] => {
  const header = headers['x-auth-token']
  if (header) return [String(header)]
  return given(cookies[sessionCookie], cookies[rememberCookie])
}

/** All of them, for whoever wants to be rid of them. */
export const allSessionTokens = ({ headers, cookies }: FastifyRequest): string[] =>
  given(headers['x-auth-token']?.toString(), cookies[sessionCookie], cookies[rememberCookie])

const given = (...values: readonly (string | undefined)[]): string[] => values.flatMap((value) => value || [])
