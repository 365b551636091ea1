import type { MetadataChange } from '@carrel/api'

export interface MetadataTables {
  /** What each source says of a book or a series. */
  metadata_layer: {
    entity_id: string
    source: string
    /** JSON. */
    fields: string
    at: string
    by_user_id: string | null
    /** JSON: of each field when and by whom it was said, where a layer is written field by field. */
    said: string | null
  }
  /** What changed in what is shown, and why. */
  metadata_change: {
    id: string
    entity_id: string
    at: string
    by_user_id: string | null
    source: string
    reason: MetadataChange['reason']
    /** JSON: the fields, with what was shown before and after. */
    changes: string
    /** JSON: what the source itself said of these fields before, so that it can say it again. */
    said_before: string
    /** The change that took this one back. */
    undone_by: string | null
  }
  /** By what other services know it; of what is shown. */
  external_id: {
    entity_id: string
    entity: 'series' | 'book'
    source: string
    external_id: string
    url: string | null
  }
}
