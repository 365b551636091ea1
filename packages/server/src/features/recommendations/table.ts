import type { DismissReason } from '@carrel/api'

export interface RecommendationTables {
  /** What one plugin has recommended to one user. */
  recommendation_batch: {
    user_id: string
    plugin_id: string
    /** Where its ids come from. */
    source: string
    /** When it was to be made anew last. */
    asked_at: string | null
    generated_at: string | null
  }
  recommendation: {
    user_id: string
    plugin_id: string
    external_id: string
    /** In the answer of the plugin. */
    place: number
    score: number
    /** Of this server, as the plugin says: where it is hidden, so is this. */
    series_id: string | null
    /** JSON: the series that its reason may name. */
    based_on_ids: string
    /** JSON. */
    item: string
  }
  /** What a user does not want to be recommended again. */
  recommendation_dismissal: {
    user_id: string
    source: string
    external_id: string
    reason: DismissReason | null
    dismissed_at: string
  }
}
