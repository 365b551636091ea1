import type { Flag } from '../../database/flag.ts'

export interface ClientSettingTables {
  client_setting: {
    /** The id of the user it belongs to, or `everybody`. */
    owner: string
    user_id: string | null
    key: string
    value: string
    /** The setting is also shown to clients that have not signed in. */
    is_open: Flag
  }
}
