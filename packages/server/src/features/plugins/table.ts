import type { CreatePluginRequest } from '@carrel/api'
import type { Flag } from '../../database/flag.ts'

export interface PluginTables {
  /** It holds the packages in data/plugins from which plugins can be set up. */
  plugin_package: {
    name: string
    version: string
    source: 'folder' | 'npm' | 'built_in'
    /**
     * It is the folder the plugin may read, below data/plugins or where built-in plugins are, and the script it begins
     * with.
     */
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
    /** The plugin works for these users without their switching it on; null means nobody. */
    enabled_for: 'everybody' | null
    package: string | null
    command: string
    /** JSON. */
    args: string
    env_keys: string
    /** It is encrypted (see encryption.ts). */
    env: string | null
    credentials: string | null
    /** These client credentials identify us to the service where users sign in: the plugin does not get them. */
    oauth_client_id: string | null
    /** It is encrypted. */
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
    /** Failures before this time do not count. */
    failures_from: string
    /** It is raised by everything that makes a running process out of date. */
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
  /** It holds the lines of the plugin's log. */
  plugin_line: {
    id: string
    plugin_id: string
    line: string
    at: string
  }
  /** All nodes add to these counters. */
  plugin_metric: {
    plugin_id: string
    method: string
    /** `ok`, the code of a failure, or `rejected`. */
    outcome: string
    requests: number
    duration_ms: number
    last_at: string
  }
  /** It holds the data plugins have stored. */
  plugin_data: {
    plugin_id: string
    owner: string
    user_id: string | null
    key: string
    data: string
    expires_at: string | null
    updated_at: string
  }
  /** It holds requests to a plugin that a worker has to make. */
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
