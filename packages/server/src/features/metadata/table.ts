export interface MetadataTables {
  /** What each source says of a book or a series. */
  metadata_layer: {
    entity_id: string
    source: string
    /** JSON. */
    fields: string
    at: string
    by_user_id: string | null
  }
}
