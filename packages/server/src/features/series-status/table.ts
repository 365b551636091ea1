import type { ReadingStatus } from '@carrel/api'

export interface SeriesStatusTables {
  /** What a user says of their own reading of a series. */
  series_status: { user_id: string; series_id: string; status: ReadingStatus; updated_at: string }
}
