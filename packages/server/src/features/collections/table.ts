import type { Generated } from 'kysely'
import type { Flag } from '../../database/flag.ts'

export interface CollectionTables {
  collection: {
    id: string
    name: string
    name_key: string
    sort_key: string
    summary: string | null
    /** Its members have an order of their own. */
    ordered: Flag
    /** JSON: its members are the series that fulfil it, and none are kept. */
    condition: string | null
    created_at: string
    updated_at: string
    /** Files name it by this key; null: people have made it. */
    files_key: string | null
    /** It holds what files say. */
    follows_files: Generated<Flag>
  }
  collection_series: { collection_id: string; series_id: string; position: number; added_at: string }
  /** When a series last came, left or was moved. It outlives its place in the collection. */
  collection_series_change: { collection_id: string; series_id: string; changed_at: string }
}
