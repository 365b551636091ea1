import type { ConnectionProblem } from '@carrel/api'
import type { Flag } from '../../database/flag.ts'

export interface UserPluginTables {
  /** What a user wants of a plugin. Without a row it is as it is for everybody. */
  user_plugin: {
    user_id: string
    plugin_id: string
    enabled: Flag
    /** JSON. */
    config: string
    created_at: string
    updated_at: string
    /** When they last wanted it to forget them. */
    forgotten_at: string | null
  }
  /** What a user has entrusted a plugin with, for themselves. */
  user_plugin_connection: {
    user_id: string
    plugin_id: string
    kind: 'oauth' | 'token'
    /** Sealed JSON (`Tokens`); null where they are of no use any more. */
    tokens: string | null
    /** Another one with each change of the tokens. */
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
