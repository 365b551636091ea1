export interface SessionTables {
  session: {
    id: string
    user_id: string
    cookie_hash: string
    device_name: string | null
    user_agent: string | null
    ip: string | null
    /** What the limiter calls an address: an IPv4 address or an IPv6 /64. */
    network: string
    created_at: string
    last_used_at: string
    ended_at: string | null
  }
  refresh_token: { token_hash: string; session_id: string; created_at: string; rotated_at: string | null }
}
