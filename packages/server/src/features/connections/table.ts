import type { Door } from '@carrel/api'

export interface ConnectionTables {
  /** An application that comes in by one of the doors: what it did last. */
  connection: {
    user_id: string
    id: string
    door: Door
    /** The application gives itself this name; null when we do not know it. */
    app: string | null
    /** It says how the application signed in; `nobody` means that it only tried. */
    by_kind: 'key' | 'session' | 'password' | 'nobody'
    by_id: string | null
    used_at: string
    /** JSON: the last first. */
    requests: string
    /** JSON: what went wrong last; null: nothing since it last went well. */
    trouble: string | null
  }
}
