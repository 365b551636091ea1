import type { SessionKind } from './table.ts'

export interface StartedSession {
  readonly sessionId: string
  readonly cookie: string
  readonly refreshToken: string
}

export interface Rotation {
  readonly sessionId: string
  readonly userId: string
  readonly refreshToken: string
}

export interface LiveSession {
  readonly id: string
  readonly userId: string
  readonly endsAt: number
  readonly kind: SessionKind
  readonly client: string | null
  readonly apiKeyId: string | null
  /** Nothing announces its end: code that caches what it found must check again. */
  readonly isUnsaved?: true
}
