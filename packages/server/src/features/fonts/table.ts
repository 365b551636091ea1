import type { FontDto } from '@carrel/api'

export interface FontTables {
  /** What a user has brought to read with. */
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
