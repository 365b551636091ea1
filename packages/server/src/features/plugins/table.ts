import type { CreatePluginRequest } from '@carrel/api'
import type { Flag } from '../../database/flag.ts'

export interface PluginTables {
  /** What lies ready in data/plugins for plugins to be set up from. */
  plugin_package: {
    name: string
    version: string
    source: 'folder' | 'npm' | 'built_in'
    /** What it may read, below data/plugins or where those are that come with Carrel, and the script it begins with. */
    folder: string
    entry: string
    installed_at: string
  }
  /** A plugin as it is set up: one program may be several of these. */
  plugin: {
    id: string
    name: string
    display_name: string
    description: string | null
    plugin_type: 'system' | 'user'
    package: string | null
    command: string
    /** JSON. */
    args: string
    env_keys: string
    /** Sealed (see sealing.ts). */
    env: string | null
    credentials: string | null
    /** As whom we come to the service where users sign in: not for the plugin. */
    oauth_client_id: string | null
    /** Sealed. */
    oauth_client_secret: string | null
    working_directory: string | null
    /** JSON. */
    permissions: string
    scopes: string
    library_ids: string
    config: string
    credential_delivery: NonNullable<CreatePluginRequest['credentialDelivery']>
    log_level: string | null
    requests_per_minute: number | null
    request_timeout_seconds: number | null
    /** JSON: what features above make of it. */
    options: string
    enabled: Flag
    disabled_reason: string | null
    /** JSON, of its last start. */
    manifest: string | null
    isolation: string | null
    last_success_at: string | null
    last_failure_at: string | null
    /** What failed before is forgotten. */
    failures_from: string
    /** Raised by what makes a running one out of date. */
    revision: number
    created_at: string
    updated_at: string
  }
  plugin_failure: {
    id: string
    plugin_id: string
    code: string
    message: string
    method: string | null
    last_words: string | null
    is_grave: Flag
    at: string
  }
  /** What it wrote to its log. */
  plugin_line: {
    id: string
    plugin_id: string
    line: string
    at: string
  }
  /** Counted up by all nodes. */
  plugin_metric: {
    plugin_id: string
    method: string
    /** `ok`, the code of a failure, or `rejected`. */
    outcome: string
    requests: number
    duration_ms: number
    last_at: string
  }
  /** What plugins keep with us. */
  plugin_data: {
    plugin_id: string
    owner: string
    user_id: string | null
    key: string
    data: string
    expires_at: string | null
    updated_at: string
  }
  /** What a request wants to know of a plugin, and a worker asks. */
  plugin_call: {
    id: string
    plugin_id: string
    user_id: string | null
    method: string
    /** JSON. */
    params: string
    state: 'waiting' | 'taken' | 'ended'
    result: string | null
    fault: string | null
    ends_at: string
  }
}
