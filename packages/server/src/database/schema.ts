import type { AccessTables } from '../features/access/table.ts'
import type { ApiKeyTables } from '../features/api-keys/table.ts'
import type { SessionTables } from '../features/sessions/table.ts'
import type { SettingTables } from '../features/settings/table.ts'
import type { SignInTables } from '../features/sign-in/table.ts'
import type { UserTables } from '../features/users/table.ts'
import type { RevisionTables } from './revisions.ts'
import type { SecretTables } from './secrets.ts'

/** Every table, each described by the feature that writes it. */
export type Schema = AccessTables &
  ApiKeyTables &
  RevisionTables &
  SecretTables &
  SessionTables &
  SettingTables &
  SignInTables &
  UserTables

/** Truth as both databases keep it. */
export type Flag = 0 | 1
export const flag = (value: boolean): Flag => (value ? 1 : 0)
