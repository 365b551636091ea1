import type { FontDto } from '@carrel/api'

export interface FontTables {
  /** It holds fonts that a user has uploaded for reading. */
  user_font: {
    id: string
    user_id: string
    name: string
    name_key: string
    format: FontDto['format']
    size: number
    bytes: Uint8Array
    created_at: string
  }
}
