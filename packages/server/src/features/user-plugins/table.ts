import type { Flag } from '../../database/flag.ts'

export interface UserPluginTables {
  /** What a user wants of a plugin. Without a row it is as it is for everybody. */
  user_plugin: {
    user_id: string
    plugin_id: string
    enabled: Flag
    /** JSON. */
    config: string
    created_at: string
    updated_at: string
  }
}
