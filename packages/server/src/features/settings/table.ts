export interface SettingTables {
  /** Only settings that somebody changed have a row; values are JSON. */
  setting: { key: string; value: string; updated_at: string; updated_by: string | null; updated_by_name: string }
  setting_change: {
    id: string
    key: string
    at: string
    by_id: string | null
    by_name: string
    old_value: string
    new_value: string
    reason: string | null
  }
}
