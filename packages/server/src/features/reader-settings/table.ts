import type { ReaderLevel } from '@carrel/api'

export interface ReaderSettingTables {
  reader_setting: {
    user_id: string
    level: ReaderLevel
    /** The id of what it is for; of `user` the user's own. */
    subject: string
    /** The same, where it is a library or series: with them it goes. */
    library_id: string | null
    series_id: string | null
    /** JSON: what is not in it has not been said. */
    settings: string
    updated_at: string
  }
}
