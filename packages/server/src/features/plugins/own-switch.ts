import type { Flag } from '../../database/flag.ts'

/** These decide whether a plugin gets any data of a user. */
export interface OwnSwitch {
  /** It is the plugin's setting: null means nobody. */
  readonly enabled_for: 'everybody' | null
  /** It is the user's setting: without a time they have not chosen. */
  readonly switched_at: string | null
  readonly switched: Flag | null
}

/** A user's own word counts; without one that of an administrator for everybody. */
export const isSwitchedOn = ({ enabled_for, switched_at, switched }: OwnSwitch): boolean =>
  switched_at === null ? enabled_for === 'everybody' : switched === 1
