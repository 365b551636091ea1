import type { PluginRow } from './queries.ts'

/** What one user has entrusted a plugin with: for the process that runs for them. */
export interface OwnCredentials {
  readonly words: Readonly<Record<string, string>>
  /** Other ones have another one. */
  readonly version: string
}

/** Where plugins get what users have entrusted them with; it is for others to know how they came by it. */
export interface OwnTrust {
  /** Undefined: nothing. A `PluginFault`: there was something, which is of no use now. */
  of(plugin: PluginRow, userId: string): Promise<OwnCredentials | undefined>
  /** The service refused these, so many times in a row. Answers whether it is worth asking with others. */
  refused(plugin: PluginRow, userId: string, refusal: Refusal): Promise<boolean>
  /** After the secret of the installation was changed. */
  sealAnew(): Promise<void>
}

interface Refusal {
  readonly credentials: OwnCredentials
  readonly times: number
}

/** Nobody has entrusted them with anything. */
export const noOwnTrust: OwnTrust = {
  of: async () => undefined,
  refused: async () => false,
  sealAnew: async () => undefined,
}
