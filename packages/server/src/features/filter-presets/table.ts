export interface FilterPresetTables {
  filter_preset: {
    id: string
    user_id: string
    name: string
    /** One name in each scope, target and library of a user. */
    name_key: string
    sort_key: string
    scope: 'list' | 'search'
    target: 'series' | 'books'
    /** JSON. */
    condition: string
    query: string | null
    sort: string | null
    library_id: string | null
    created_at: string
    updated_at: string
  }
}
