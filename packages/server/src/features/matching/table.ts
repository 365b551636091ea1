import type { MatchState } from '@carrel/api'
import type { Flag } from '../../database/flag.ts'

export interface MatchingTables {
  /** What a plugin takes a series or a book for, or what came of asking it. */
  plugin_match: {
    id: string
    plugin_id: string
    entity: 'series' | 'book'
    entity_id: string
    /** One of the two is the entity: it takes its row with it. */
    series_id: string | null
    book_id: string | null
    library_id: string
    state: MatchState
    external_id: string | null
    confidence: number | null
    /** JSON: what somebody may choose from. */
    candidates: string
    /** What it was called when the plugin was asked about it by itself. */
    asked_title: string | null
    /** Where the cover it has of it came from. */
    cover_url: string | null
    /** Where another one lies, which is still to be fetched. */
    wanted_cover_url: string | null
    /** When the plugin was last asked about it by itself. */
    refreshed_at: string | null
    at: string
    by_user_id: string | null
  }
  /** What somebody has said is no match. */
  match_refusal: {
    plugin_id: string
    entity_id: string
    external_id: string
    series_id: string | null
    book_id: string | null
    at: string
    by_user_id: string | null
  }
  /** What a change of the history did to the cover of a plugin. */
  match_cover: {
    history_id: string
    plugin_id: string
    entity_id: string
    before_url: string | null
    after_url: string | null
  }
  /** What is asked again by itself, and when. */
  library_job: {
    id: string
    library_id: string
    plugin_id: string
    name: string
    /** JSON. */
    config: string
    cron: string
    time_zone: string | null
    enabled: Flag
    last_run_at: string | null
    last_status: 'completed' | 'failed' | null
    last_message: string | null
    created_at: string
    updated_at: string
  }
}
