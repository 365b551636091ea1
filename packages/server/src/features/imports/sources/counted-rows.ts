import type { StoreDatabase } from './sqlite.ts'
import type { countPassedOver } from './values.ts'

export type PassedOver = ReturnType<typeof countPassedOver>

/** The same database, where each table that has more rows than are read at most is told of. */
export const withMoreTold = (db: StoreDatabase, passed: PassedOver): StoreDatabase => ({
  has: (...names) => db.has(...names),
  first: (...statement) => db.first(...statement),
  rows: (sql, options) =>
    db.rows(sql, { onMore: () => passed.add('rows beyond what is read at most', 'too_much'), ...options }),
  [Symbol.dispose]: () => db[Symbol.dispose](),
})
