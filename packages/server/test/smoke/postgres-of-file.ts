import { afterAll, beforeAll } from 'vitest'
import { startPostgres, type TestPostgres } from '../postgres.ts'

export interface PostgresOfFile extends Pick<TestPostgres, 'pause' | 'resume'> {
  /** It makes an empty database, and returns its address. */
  newDatabase(): Promise<string>
}

/** One PostgreSQL for all tests of a file. */
export const postgresOfFile = (): PostgresOfFile => {
  let started: TestPostgres | undefined
  let databases = 0
  const postgres = (): TestPostgres => {
    if (!started) throw new Error('It is there only while tests run')
    return started
  }
  beforeAll(async () => {
    started = await startPostgres()
  }, 60_000)
  afterAll(() => started?.stop())

  return {
    newDatabase: async () => {
      databases += 1
      const name = `installation_${databases}`
      await postgres().createDatabase(name)
      return postgres().urlOf(name)
    },
    pause: () => postgres().pause(),
    resume: () => postgres().resume(),
  }
}
