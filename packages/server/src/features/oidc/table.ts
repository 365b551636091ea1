export interface OidcTables {
  /** A sign-in that was begun and not yet finished. Nonce and PKCE verifier are derived from the state, which is not kept. */
  oidc_sign_in: {
    state_hash: string
    provider: string
    /** Null: an app began it for a browser that it has yet to open. */
    browser_hash: string | null
    redirect_uri: string | null
    return_to: string
    expires_at: string
  }
  /** It maps a person at a provider to a user here. */
  oidc_identity: { provider: string; issuer: string; subject: string; user_id: string; created_at: string }
}
