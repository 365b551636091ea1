import type { EventTables } from '../events/table.ts'
import type { AccessTables } from '../features/access/table.ts'
import type { ApiKeyTables } from '../features/api-keys/table.ts'
import type { OidcTables } from '../features/oidc/table.ts'
import type { PreferenceTables } from '../features/preferences/table.ts'
import type { SessionTables } from '../features/sessions/table.ts'
import type { SettingTables } from '../features/settings/table.ts'
import type { SignInTables } from '../features/sign-in/table.ts'
import type { UserTables } from '../features/users/table.ts'
import type { TaskTables } from '../tasks/table.ts'
import type { OwnTables } from './table.ts'

/** Every table, each described by the feature that writes it. */
export type Schema = AccessTables &
  EventTables &
  ApiKeyTables &
  OidcTables &
  OwnTables &
  PreferenceTables &
  SessionTables &
  SettingTables &
  SignInTables &
  TaskTables &
  UserTables
