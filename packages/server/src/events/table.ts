export interface EventTables {
  /** The outbox. An event is written in the transaction that makes it true; its number comes once that is committed. */
  event: {
    id: string
    /** Null until it is numbered. The event's id. */
    number: number | null
    type: string
    at: string
    /** The line of JSON that goes out. */
    data: string
    user_id: string | null
    permission: string | null
    library_id: string | null
    age_rating: number | null
    /** JSON; null when the event is about no series or book, so that neither tags nor rating decide. */
    sharing_tags: string | null
    /** JSON: what else must be seen, or must not. */
    sights: string | null
  }
  event_sequence: { the_one: 1; last_number: number }
}
