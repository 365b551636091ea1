import type { Flag } from '../../database/flag.ts'

export interface FollowingTables {
  series_follow: {
    user_id: string
    series_id: string
    followed_at: string
    /** When something last came that they were told of; until then when they began to follow. */
    newest_at: string
  }
  /** New books of one series that one scan has found, where anybody follows it. */
  arrival: {
    id: string
    scan_id: string
    series_id: string
    library_id: string
    at: string
    /** Whoever follows has been told. */
    told: Flag
  }
  arrival_book: { arrival_id: string; book_id: string }
  /** What it says is what its reader may see of the arrival when they look. */
  notification: { id: string; user_id: string; arrival_id: string; created_at: string; read_at: string | null }
  /** Where a user's notifications are sent. Its secret is derived from the installation's and `salt`. */
  webhook: {
    user_id: string
    url: string
    active: Flag
    salt: string
    /** Since it last worked. */
    failures: number
    last_delivered_at: string | null
    last_failed_at: string | null
    last_problem: string | null
    updated_at: string
  }
  /** The key in the address of a user's feed, as a hash. */
  feed_key: { user_id: string; key_hash: string; created_at: string }
}
