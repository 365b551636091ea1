import type { PluginRow } from '../queries.ts'

/** It holds the credentials one user has given a plugin: they are for the process that runs for that user. */
export interface OwnCredentials {
  readonly words: Readonly<Record<string, string>>
  /** Other credentials have another version. */
  readonly version: string
}

/** Plugins get a user's credentials here; other code decides how they were obtained. */
export interface OwnTrust {
  /** Undefined: nothing. A `PluginFault`: there was something, which is of no use now. */
  of(plugin: PluginRow, userId: string): Promise<OwnCredentials | undefined>
  /** The service refused these, so many times in a row. It returns whether it is worth asking with others. */
  refused(plugin: PluginRow, userId: string, refusal: Refusal): Promise<boolean>
  /** It is called after the secret of the installation was changed. */
  reencrypt(): Promise<void>
}

interface Refusal {
  readonly credentials: OwnCredentials
  readonly times: number
}

/** It is used where no user has given credentials. */
export const noOwnTrust: OwnTrust = {
  of: async () => undefined,
  refused: async () => false,
  reencrypt: async () => undefined,
}
