import type { DownloadMetadata } from '@carrel/api'
import type { Flag } from '../../database/flag.ts'

export interface ApiKeyTables {
  api_key: {
    id: string
    user_id: string
    name: string
    sort_key: string
    key_prefix: string
    key_hash: string
    /** SHA-256 of the key's own MD5 in hex, which is what KOReader sends. */
    md5_hash: string
    /** JSON array; null: all that the owner may do. */
    permissions: string | null
    is_active: Flag
    expires_at: string | null
    last_used_at: string | null
    created_at: string
    updated_at: string
    /** What files say of their books that are downloaded with it; null: as its owner has it. */
    download_metadata: DownloadMetadata | null
  }
}
