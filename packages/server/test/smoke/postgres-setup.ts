import type { TestProject } from 'vitest/node'
import { startPostgres } from '../postgres.ts'

/** Files that do not take their PostgreSQL away have databases in this one. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const postgres = await startPostgres()
  project.provide('postgresOfPrograms', postgres.urlOf('postgres'))
  return postgres.stop
}
