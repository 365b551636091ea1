import type { ReadingStatus } from '@carrel/api'

export interface SeriesStatusTables {
  /** It holds the status a user has set for their own reading of a series. */
  series_status: { user_id: string; series_id: string; status: ReadingStatus; updated_at: string }
}
