import type { Caller, Credential } from '../../http/caller.ts'
import { AppError } from '../../platform/errors.ts'
import { hasApiKeyForm } from '../api-keys/api-keys.ts'
import type { Activity, SignInRecorder } from '../sign-in-activity/sign-in-activity.ts'

type From = Pick<Activity, 'ip' | 'userAgent'>

export const wrongPassword = 'User name or password is wrong.'
const wrongKey = 'This API key is not good.'

/** A key, a password or a remembered session that came with a request; all other sessions were noted when they began. */
export const noteUseOf = ({ note }: SignInRecorder, { userId, by }: Caller, from: From): void => {
  const shared = { userId, ip: from.ip, userAgent: from.userAgent, isRepeated: true }
  if (by.kind === 'password') note({ ...shared, source: 'password' })
  else if (by.kind === 'key' && by.sessionId === undefined) note({ ...shared, source: 'api_key', apiKeyId: by.id })
  else if (by.kind === 'session' && by.isRemembered) note({ ...shared, source: 'remember_me' })
}

/**
 * Anything else that was typed is not stored: it may be a valid password elsewhere. An ended session is no attempt at
 * anything.
 */
const attemptOf = (credential: Credential): Pick<Activity, 'source' | 'typedName'> | undefined => {
  if ('values' in credential) return undefined
  switch (credential.scheme) {
    case 'basic':
      return hasApiKeyForm(credential.password)
        ? { source: 'api_key', typedName: credential.username }
        : { source: 'password', typedName: credential.username }
    case 'digest':
      return { source: 'api_key', typedName: credential.username }
    case 'key':
      return { source: 'api_key' }
    case 'bearer':
      return hasApiKeyForm(credential.value) ? { source: 'api_key' } : undefined
    case 'cookie':
      return undefined
  }
}

export const noteFailure = ({ note }: SignInRecorder, credential: Credential, { ip, userAgent }: From): void => {
  const attempt = attemptOf(credential)
  if (!attempt) return
  const isKey = attempt.source === 'api_key'
  note({ ...attempt, ip, userAgent, error: isKey ? wrongKey : wrongPassword, isRepeated: isKey })
}

/** The attempt was refused because of too many before it. */
export const noteRefusal = (recorder: SignInRecorder, credential: Credential, from: From, error: unknown): void => {
  const attempt = attemptOf(credential)
  if (attempt) noteTooMany(recorder, { ...attempt, ip: from.ip, userAgent: from.userAgent }, error)
}

export const noteTooMany = (
  { note }: SignInRecorder,
  attempt: Omit<Activity, 'error' | 'isRepeated'>,
  error: unknown,
): void => {
  if (error instanceof AppError && error.code === 'rate_limit_exceeded')
    note({ ...attempt, error: 'Refused: too many failed tries before.', isRepeated: true })
}
