import type { ConnectionProblem } from '@carrel/api'
import type { Flag } from '../../database/flag.ts'

export interface UserPluginTables {
  /** It holds a user's choices about a plugin. Without a row the plugin is as it is for everybody. */
  user_plugin: {
    user_id: string
    plugin_id: string
    /** Counts once they have switched it. */
    enabled: Flag
    /** When they have switched it themselves; null: it is as it is for everybody. */
    switched_at: string | null
    /** JSON. */
    config: string
    created_at: string
    updated_at: string
    /** When they last wanted it to forget them. */
    forgotten_at: string | null
  }
  /** It holds the credentials a user has given a plugin. */
  user_plugin_connection: {
    user_id: string
    plugin_id: string
    kind: 'oauth' | 'token'
    /** It is encrypted JSON (`Tokens`); null once the tokens are of no use. */
    tokens: string | null
    /** It changes with each change of the tokens. */
    version: string
    expires_at: string | null
    refresh_at: string | null
    /** Nobody else asks for new tokens until then. */
    refreshing_until: string | null
    problem: ConnectionProblem | null
    external_username: string | null
    external_avatar_url: string | null
    connected_at: string
  }
  /** One that was begun and not yet finished. The PKCE verifier is derived from the state, which is not kept. */
  user_plugin_sign_in: {
    state_hash: string
    user_id: string
    plugin_id: string
    browser_hash: string
    expires_at: string
  }
}
