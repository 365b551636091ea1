export interface PreferenceTables {
  /** Values are JSON. */
  user_preference: { user_id: string; key: string; value: string; updated_at: string }
}
