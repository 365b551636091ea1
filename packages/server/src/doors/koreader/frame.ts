import type { Context } from '../../context.ts'
import type { Credential } from '../../http/caller.ts'
import type { FastifyRequest } from 'fastify'
import { credentialOf } from '../../http/guard/authenticate.ts'
import type { DoorFrame } from '../../http/doors.ts'
import { basicChallenge } from '../../http/reply/error-reply.ts'
import { hasApiKeyForm } from '../../features/api-keys/api-keys.ts'

/** KOReader expects these codes from its own server. */
const codes: Readonly<Partial<Record<number, number>>> = { 400: 2003, 401: 2001 }

export const koreaderFrame = ({ settings }: Pick<Context, 'settings'>): DoorFrame => ({
  name: 'koreader',
  mount: '/koreader/',
  address: () => '/koreader/',
  isOpen: () => settings.get('koreader.enabled'),
  takesBasic: () => true,
  credentialOf: (request) => koreaderCredential(request) ?? credentialOf(request),
  challenge: () => basicChallenge,
  refusal: ({ error: { status }, sentence }) => JSON.stringify({ code: codes[status] ?? status, message: sentence }),
})

/**
 * These credentials are tried after those that everybody may send and before a cookie (W12): a key as the name, or a
 * name with the MD5 of a key.
 */
const koreaderCredential = ({ headers }: FastifyRequest): Credential | undefined => {
  const { authorization, 'x-api-key': apiKey, 'x-auth-user': user, 'x-auth-key': digest } = headers
  if (authorization !== undefined || apiKey !== undefined || typeof user !== 'string') return undefined
  if (hasApiKeyForm(user)) return { scheme: 'key', value: user }
  return { scheme: 'digest', username: nameIn(user), digest: String(digest ?? '') }
}

/** Headers come in Latin-1; KOReader means UTF-8. */
const nameIn = (header: string): string => Buffer.from(header, 'latin1').toString()
