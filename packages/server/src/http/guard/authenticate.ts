import { isProtected, mainSchemes } from '@carrel/api'
import type { FastifyRequest } from 'fastify'
import { AppError } from '../../platform/errors.ts'
import type { Caller, Credential, Identify } from '../caller.ts'
import { sessionCookie } from './cookies.ts'
import { doorOf } from '../doors.ts'

export type Finding = 'nobody' | 'known' | 'bad'

/** Where credentials stand, the first of them deciding; a good cookie does not mend a bad token. */
export const credentialOf = (request: FastifyRequest): Credential | 'unreadable' | undefined => {
  const inHeaders = credentialInHeaders(request)
  if (inHeaders !== undefined) return inHeaders
  const cookie = request.cookies[sessionCookie]
  return cookie === undefined ? undefined : { scheme: 'cookie', value: cookie }
}

export const credentialInHeaders = ({ headers }: FastifyRequest): Credential | 'unreadable' | undefined => {
  const { authorization, 'x-api-key': key } = headers
  if (authorization !== undefined) return fromAuthorization(authorization)
  return key === undefined ? undefined : { scheme: 'key', value: String(key) }
}

const fromAuthorization = (header: string): Credential | 'unreadable' => {
  const [, scheme = '', value = ''] = /^(\S+) +(\S+)\s*$/.exec(header) ?? []
  if (scheme.toLowerCase() === 'bearer') return { scheme: 'bearer', value }
  if (scheme.toLowerCase() !== 'basic') return 'unreadable'
  const [, username, password] = /^([^:]*):([\s\S]*)$/.exec(Buffer.from(value, 'base64').toString()) ?? []
  return username === undefined || password === undefined ? 'unreadable' : { scheme: 'basic', username, password }
}

/** Finds out who asks and notes it with the request. What follows from that is for others to decide. */
export const authenticate = (request: FastifyRequest, identify: Identify): Finding | Promise<Finding> => {
  const shape = request.route?.endpoint?.shape
  const door = doorOf(request)
  const credential = door?.credentialOf ? door.credentialOf(request) : credentialOf(request)
  if (credential === undefined) return 'nobody'
  if (credential !== 'unreadable') request.scheme = credential.scheme
  const schemes = (shape?.schemes ?? mainSchemes).filter((scheme) => scheme !== 'basic' || door?.takesBasic() !== false)
  if (credential === 'unreadable' || !schemes.includes(credential.scheme)) return 'bad'
  const note = (caller: Caller | undefined): Finding => {
    request.caller = caller
    return caller ? 'known' : 'bad'
  }
  // Who may be anybody need not wait for the database to come back.
  const orNobody = (error: unknown): Finding => {
    if (shape && !isProtected(shape) && error instanceof AppError && error.code === 'unavailable') return 'nobody'
    throw error
  }
  try {
    const { network, clientAddress: ip, headers } = request
    const caller = identify(credential, { network, ip, userAgent: headers['user-agent'] ?? null })
    return caller instanceof Promise ? caller.then(note).catch(orNobody) : note(caller)
  } catch (error) {
    return orNobody(error)
  }
}

export const isByCookie = ({ caller, scheme }: FastifyRequest): boolean => caller !== undefined && scheme === 'cookie'
