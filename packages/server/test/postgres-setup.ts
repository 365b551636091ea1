import type { TestProject } from 'vitest/node'
import { migrateFresh } from './migrate-fresh.ts'
import { startPostgres } from './postgres.ts'

/** A real PostgreSQL, and in it one migrated database that every test server gets a copy of. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const postgres = await startPostgres()
  await postgres.createDatabase('template_carrel')
  await migrateFresh({ kind: 'postgres', url: postgres.urlOf('template_carrel') })
  project.provide('template', postgres.urlOf('template_carrel'))
  return postgres.stop
}
