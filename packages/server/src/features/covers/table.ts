import type { FaultCode } from '../../formats/book-format.ts'

export interface CoverTables {
  cover: {
    id: string
    entity: 'book' | 'series' | 'collection' | 'read_list'
    entity_id: string
    /** `file`, `page`, `sidecar`, `upload`, `plugin:<name>` */
    source: string
    page: number | null
    width: number | null
    height: number | null
    /** Thumbhash, base64. */
    placeholder: string | null
    /** Its colours (`decoders/tone.ts`); empty: it has none, null: nobody has looked. */
    tone: string | null
    /** The name of its files. */
    content_hash: string
    created_at: string
    by_user_id: string | null
  }
  /** It names the cover chosen for a collection or read list; those without show the cover of their first entry. */
  list_cover: { list_id: string; cover_id: string }
  /** Books whose cover is still to be made; a row goes when it is made or cannot be. */
  cover_wanted: { book_id: string; priority: number; at: string; tries: number }
  /** Books of which no cover can be made, until they are read again. */
  cover_fault: { book_id: string; code: FaultCode; message: string; at: string }
}
