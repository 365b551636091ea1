/** The settings there are words for. One of a newer server shows what the server says of it. */
const knownKeys = [
  'compat.enabled',
  'compat.prefix',
  'compat.spelling',
  'koreader.enabled',
  'opds.enabled',
  'opds.basic',
  'rate_limit.anonymous_rps',
  'rate_limit.anonymous_burst',
  'rate_limit.authenticated_rps',
  'rate_limit.authenticated_burst',
  'scan.hold_percent',
  'scan.hold_books',
  'scan.auto_confirm',
  'scan.watch',
  'search.fuzzy.enabled',
  'trash.retention_days',
  'metrics.task_retention_days',
  'thumbnail.max_dimension',
  'thumbnail.quality',
  'display.custom_metadata_template',
  'deduplication.cron_schedule',
  'backup.cron_schedule',
  'backup.keep',
  'exports.retention_days',
  'exports.max_per_user',
  'exports.max_concurrent_per_user',
  'exports.storage_cap_bytes',
  'plugins.allowed_packages',
  'plugins.failures_max',
  'plugins.failure_window_seconds',
  'recommendations.max_age_hours',
  'plugins.auto_match_confidence_threshold',
  'plugins.post_scan_auto_match_enabled',
  'plugins.cover_hosts',
  'plugins.oauth_hosts',
  'webhooks.allowed_hosts',
] as const

export type KnownKey = (typeof knownKeys)[number]

export const knownKey = (key: string): KnownKey | undefined => knownKeys.find((each) => each === key)

const knownCategories = [
  'compat',
  'koreader',
  'opds',
  'rate_limit',
  'scan',
  'search',
  'trash',
  'metrics',
  'thumbnail',
  'display',
  'deduplication',
  'backup',
  'exports',
  'plugins',
  'recommendations',
  'webhooks',
] as const

export const knownCategory = (category: string) => knownCategories.find((each) => each === category)
