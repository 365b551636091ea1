import { createRequire } from 'node:module'
import type Sqlite from 'better-sqlite3'
import type pg from 'pg'

const requireFromServer = createRequire(new URL('../../packages/server/package.json', import.meta.url))

/** The very drivers the server runs on, so that the limit is theirs and not another version's. */
export const loadSqlite = (): typeof Sqlite => requireFromServer('better-sqlite3') as typeof Sqlite
export const loadPostgres = (): typeof pg => requireFromServer('pg') as typeof pg
