import type { GrantMode } from '@carrel/api'
import type { Flag } from '../../database/flag.ts'

interface GrantTable {
  owner_id: string
  tag_id: string
  mode: GrantMode
  created_at: string
}

export interface AccessTables {
  sharing_tag: {
    id: string
    name: string
    name_key: string
    sort_key: string
    /** Conditions compare this form of the name. */
    name_text: string
    description: string | null
    created_at: string
    updated_at: string
  }
  access_group: {
    id: string
    name: string
    name_key: string
    sort_key: string
    description: string | null
    all_libraries: Flag
    age_ceiling: number | null
    include_unrated: Flag
    created_at: string
    updated_at: string
  }
  access_group_member: { group_id: string; user_id: string; source: 'manual' | 'oidc'; created_at: string }
  access_group_oidc_mapping: { id: string; group_id: string; oidc_group_name: string; created_at: string }
  /** The libraries of an owner that does not see all. */
  user_library: { owner_id: string; library_id: string }
  access_group_library: { owner_id: string; library_id: string }
  user_grant: GrantTable
  access_group_grant: GrantTable
}
