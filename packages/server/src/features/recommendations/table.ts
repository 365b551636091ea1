import type { DismissReason } from '@carrel/api'

export interface RecommendationTables {
  /** It holds the recommendations of one plugin to one user. */
  recommendation_batch: {
    user_id: string
    plugin_id: string
    /** It says which service the ids belong to. */
    source: string
    /** It is the time of the last request for new ones. */
    asked_at: string | null
    generated_at: string | null
  }
  recommendation: {
    user_id: string
    plugin_id: string
    external_id: string
    /** It is the position in the answer of the plugin. */
    place: number
    score: number
    /** The plugin names a series of this server: where the series is hidden, the recommendation is hidden too. */
    series_id: string | null
    /** JSON: the series that its reason may name. */
    based_on_ids: string
    /** JSON. */
    item: string
  }
  /** It holds what a user does not want to be recommended again. */
  recommendation_dismissal: {
    user_id: string
    source: string
    external_id: string
    reason: DismissReason | null
    dismissed_at: string
  }
}
