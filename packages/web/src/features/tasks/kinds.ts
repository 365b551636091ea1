/** The kinds of tasks that have a name here. */
const kinds = [
  'scan_library',
  'analyse_library',
  'make_covers',
  'renew_covers',
  'read_names_again',
  'follow_files',
  'read_lists_again',
  'regroup_library',
  'join_files',
  'relink_missing',
  'purge_missing',
  'hide_library',
  'forget_library',
  'find_duplicates',
  'index_books_of_series',
  'rebuild_search',
  'rebuild_reading',
  'bulk_edit',
  'undo_bulk_edit',
  'import_from_server',
  'export_series',
  'backup',
  'check_database',
  'auto_match',
  'refresh_matches',
  'fetch_covers',
  'cleanup_covers',
  'cleanup_missing',
  'cleanup_sessions',
  'cleanup_tasks',
  'cleanup_events',
  'cleanup_search_words',
  'cleanup_bulk_edits',
  'cleanup_exports',
  'cleanup_imports',
  'cleanup_plugins',
  'install_plugin_package',
] as const

export type TaskKind = (typeof kinds)[number]

/** Undefined: a newer server does something that we have no words for. */
export const kindOf = (taskType: string): TaskKind | undefined => kinds.find((kind) => kind === taskType)

/** These tasks also run on a schedule, and can be started at once; a backup has a page of its own. */
export const startable = [
  'make_covers',
  'find_duplicates',
  'rebuild_search',
  'rebuild_reading',
  'check_database',
  'cleanup_covers',
  'cleanup_missing',
  'cleanup_sessions',
  'cleanup_tasks',
  'cleanup_events',
  'cleanup_search_words',
  'cleanup_bulk_edits',
  'cleanup_exports',
  'cleanup_imports',
  'cleanup_plugins',
] as const satisfies readonly TaskKind[]
