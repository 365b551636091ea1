import type { DownloadMetadata, Role } from '@carrel/api'
import type { Generated } from 'kysely'
import type { Flag } from '../../database/flag.ts'

export interface UserTables {
  user: {
    id: string
    username: string
    /** Folded for case and width: two users cannot differ by these alone. */
    username_key: string
    sort_key: string
    email: string | null
    email_key: string | null
    role: Role
    /** JSON array: what this user may do beyond the role. */
    permissions: string
    /** JSON array: what this user may not do although role or permissions give it. */
    withheld: string
    is_active: Flag
    password_hash: string | null
    language: string | null
    time_zone: string
    all_libraries: Flag
    age_ceiling: number | null
    include_unrated: Flag
    last_login_at: string | null
    created_at: string
    updated_at: string
    download_metadata: Generated<DownloadMetadata>
  }
}
