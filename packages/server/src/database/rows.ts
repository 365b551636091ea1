import type { RowSource, RowTarget } from './dialects/rows.ts'
import type { DatabaseAddress } from './open.ts'

export type { Row, RowSource, RowTarget, TableShape, Value } from './dialects/rows.ts'

export const openRowSource = async (address: DatabaseAddress): Promise<RowSource> => {
  if (address.kind === 'postgres') return (await import('./dialects/postgres-rows.ts')).postgresSource(address.url)
  return (await import('./dialects/sqlite/rows.ts')).sqliteSource(address.file)
}

export const openRowTarget = async (address: DatabaseAddress): Promise<RowTarget> => {
  if (address.kind === 'postgres') return (await import('./dialects/postgres-rows.ts')).postgresTarget(address.url)
  return (await import('./dialects/sqlite/rows.ts')).sqliteTarget(address.file)
}
