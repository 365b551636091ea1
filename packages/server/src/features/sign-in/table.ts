export interface SignInTables {
  /** Failed tries by what was tried or where from; see throttle.ts for the keys. */
  sign_in_failure: { key: string; failures: number; last_failed_at: string }
  /**
   * It holds the networks from which users have come with valid credentials: credentials without a session leave no
   * other trace.
   */
  known_network: { user_id: string; network: string; seen_at: string }
}
