export interface SignInTables {
  /** Failed tries by what was tried or where from; see throttle.ts for the keys. */
  sign_in_failure: { key: string; failures: number; last_failed_at: string }
}
