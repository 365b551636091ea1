import type { Generated } from 'kysely'

export type SessionKind = 'own' | 'compat' | 'compat_remembered'

export interface SessionTables {
  session: {
    id: string
    user_id: string
    cookie_hash: string
    device_name: string | null
    user_agent: string | null
    ip: string | null
    /** It is what the rate limiter treats as one address: an IPv4 address or an IPv6 /64. */
    network: string
    created_at: string
    last_used_at: string
    ended_at: string | null
    /** `own`: of the web app or our API. Those of the compatibility door are good there only, and live as long as its applications expect. */
    kind: Generated<SessionKind>
    /** The application it was opened by, where the door knows it. */
    client: string | null
    /** It was opened with this key: it may do no more, and ends with it. */
    api_key_id: string | null
  }
  refresh_token: { token_hash: string; session_id: string; created_at: string; rotated_at: string | null }
}
