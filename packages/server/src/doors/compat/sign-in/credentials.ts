import type { FastifyRequest } from 'fastify'
import { credentialInHeaders } from '../../../http/guard/authenticate.ts'
import type { Credential } from '../../../http/caller.ts'
import { rememberCookie, sessionCookie } from './cookies.ts'

/**
 * This door looks for credentials in these places, and the first place decides. A client that sends an empty
 * `X-Auth-Token` asks for one.
 */
export const compatCredential = (request: FastifyRequest): Credential | 'unreadable' | undefined => {
  const inHeaders = credentialInHeaders(request)
  if (inHeaders !== undefined) return inHeaders
  const values = sessionTokens(request)
  return values.length > 0 ? { scheme: 'cookie', door: 'compat', values } : undefined
}

/**
 * It collects the tokens of a request that may belong to a session of this door. A short session may be over while the
 * long one goes on.
 */
const sessionTokens = ({ headers, cookies }: FastifyRequest): string[] => {
  const header = headers['x-auth-token']
  if (header) return [String(header)]
  return given(cookies[sessionCookie], cookies[rememberCookie])
}

/** It collects all session tokens, for signing out. */
export const allSessionTokens = ({ headers, cookies }: FastifyRequest): string[] =>
  given(headers['x-auth-token']?.toString(), cookies[sessionCookie], cookies[rememberCookie])

const given = (...values: readonly (string | undefined)[]): string[] => values.flatMap((value) => value || [])
