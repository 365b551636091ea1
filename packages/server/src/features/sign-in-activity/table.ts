export interface SignInActivityTables {
  sign_in_activity: {
    id: string
    /** Activity that repeats within the hour is folded into the same row. */
    fold_key: string
    user_id: string | null
    /** It is the typed name, when the sign-in failed. */
    typed_name: string | null
    api_key_id: string | null
    api_key_name: string | null
    source: string
    /** Null: it was good. */
    error: string | null
    ip: string | null
    user_agent: string | null
    first_at: string
    last_at: string
  }
}
