import type { DownloadMetadata, Permission, Role, Scheme } from '@carrel/api'

/** Somebody whose credentials have been verified. */
export interface Caller {
  readonly userId: string
  readonly username: string
  readonly role: Role
  /** What this caller may do: the user's, cut down to the key's when it is one. */
  readonly permissions: ReadonlySet<Permission>
  /** The language that this user has chosen to be spoken to in. */
  readonly language: string | null
  /** What files say of their books that this caller downloads without saying it. */
  readonly downloadMetadata: DownloadMetadata
  readonly by:
    | {
        readonly kind: 'session'
        readonly id: string
        /** The application that opened it at the compatibility door, where it is one we know. */
        readonly client?: string | null
        /** It signs somebody in again where a shorter one has ended. */
        readonly isRemembered?: true
      }
    | {
        readonly kind: 'key'
        readonly id: string
        /** The session of the compatibility door that was opened with the key, when the request came with that. */
        readonly sessionId?: string
        readonly client?: string | null
      }
    | { readonly kind: 'password' }
}

/** What a request says about who sends it, not yet believed. */
export type Credential =
  | { readonly scheme: Extract<Scheme, 'bearer' | 'key' | 'cookie'>; readonly value: string }
  | { readonly scheme: 'basic'; readonly username: string; readonly password: string }
  /** MD5 in hex of what was typed as a password: good only where that was an API key. */
  | { readonly scheme: 'digest'; readonly username: string; readonly digest: string }
  /** These cookies are those of the compatibility door; the first valid one counts. */
  | { readonly scheme: 'cookie'; readonly door: 'compat'; readonly values: readonly string[] }

/** Answers undefined when the credentials are not good. */
export type Identify = (
  credential: Credential,
  from: { readonly network: string; readonly ip: string; readonly userAgent: string | null },
) => Promise<Caller | undefined> | Caller | undefined
