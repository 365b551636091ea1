import type { Door } from '@carrel/api'

export interface ConnectionTables {
  /** An application that comes in by one of the doors: what it did last. */
  connection: {
    user_id: string
    id: string
    door: Door
    /** What the application calls itself; null: nothing we know. */
    app: string | null
    /** How it signed in; `nobody`: it tried to. */
    by_kind: 'key' | 'session' | 'password' | 'nobody'
    by_id: string | null
    used_at: string
    /** JSON: the last first. */
    requests: string
    /** JSON: what went wrong last; null: nothing since it last went well. */
    trouble: string | null
  }
}
