import type { Flag } from '../../database/flag.ts'

export interface FollowingTables {
  series_follow: {
    user_id: string
    series_id: string
    followed_at: string
    /** It is the time of the latest arrival they were notified of; until then the time when they began to follow. */
    newest_at: string
  }
  /** New books of one series that one scan has found, where anybody follows it. */
  arrival: {
    id: string
    scan_id: string
    series_id: string
    library_id: string
    at: string
    /** The followers have been notified. */
    told: Flag
  }
  arrival_book: { arrival_id: string; book_id: string }
  /** Its text depends on what the reader may see of the arrival when they look. */
  notification: { id: string; user_id: string; arrival_id: string; created_at: string; read_at: string | null }
  /** A user's notifications are sent here. The secret is derived from the installation's and `salt`. */
  webhook: {
    user_id: string
    url: string
    active: Flag
    salt: string
    /** It counts failures since the last success. */
    failures: number
    last_delivered_at: string | null
    last_failed_at: string | null
    last_problem: string | null
    updated_at: string
  }
  /** The key in the address of a user's feed, as a hash. */
  feed_key: { user_id: string; key_hash: string; created_at: string }
}
