import type { Schema } from './schema.ts'

/** `kept`: goes into every copy, row by row. Else why it does not. */
type Keeping = 'kept' | { readonly leftOut: string }

const keeping: Readonly<Record<keyof Schema, Keeping>> = {
  user: 'kept',
  user_preference: 'kept',
  sharing_tag: 'kept',
  access_group: 'kept',
  user_library: 'kept',
  access_group_library: 'kept',
  user_grant: 'kept',
  access_group_grant: 'kept',
  access_group_member: 'kept',
  access_group_oidc_mapping: 'kept',
  session: 'kept',
  refresh_token: 'kept',
  api_key: 'kept',
  sign_in_failure: 'kept',
  oidc_sign_in: 'kept',
  oidc_identity: 'kept',
  setting: 'kept',
  setting_change: 'kept',
  secret: { leftOut: 'a copy must not let anybody make tokens' },
  revision: 'kept',
  fact: 'kept',
  fact_sequence: 'kept',
  task: 'kept',
  worker: 'kept',
  schedule: 'kept',
  task_figure: 'kept',
  task_duration: 'kept',
  task_last_error: 'kept',
  task_total: 'kept',
  library: 'kept',
  library_root: 'kept',
  series: 'kept',
  series_sharing_tag: 'kept',
  book: 'kept',
  metadata_layer: 'kept',
  metadata_change: 'kept',
  term: 'kept',
  series_term: 'kept',
  book_term: 'kept',
  external_id: 'kept',
  file: 'kept',
  book_fingerprint: 'kept',
  sidecar: 'kept',
  page_index: 'kept',
  scan: 'kept',
  held_change: 'kept',
  held_book: 'kept',
  scan_preview: 'kept',
  relink: 'kept',
  cover: 'kept',
  cover_wanted: 'kept',
  cover_fault: 'kept',
  reading_session: 'kept',
  device: 'kept',
  reading_head: 'kept',
  reading_snapshot: 'kept',
  read_progress: 'kept',
  series_progress: 'kept',
  read_completion: 'kept',
  removed_completion: 'kept',
  series_rating: 'kept',
  book_rating: 'kept',
  filter_preset: 'kept',
  collection: 'kept',
  collection_series: 'kept',
  read_list: 'kept',
  read_list_book: 'kept',
  want_to_read: 'kept',
}

/** In an order in which each comes after those it refers to. */
export const keptTables: readonly string[] = Object.entries(keeping)
  .filter(([, how]) => how === 'kept')
  .map(([name]) => name)

/** Those that no feature describes are the schema's own and the buckets of the limiter, which fill up by themselves. */
export const leftOutTables: readonly string[] = [
  ...Object.entries(keeping)
    .filter(([, how]) => how !== 'kept')
    .map(([name]) => name),
  'schema_version',
  'rate_bucket',
]
