import { afterAll, beforeAll, inject } from 'vitest'
import { newId } from '../../src/platform/ids.ts'
import { administer } from '../administer.ts'
import { startPostgres, type TestPostgres } from '../postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of a PostgreSQL that is there while the programs are tested. */
    postgresOfPrograms: string
  }
}

/** It makes an empty database in the one PostgreSQL that files share, and returns its address. */
export const newDatabase = async (): Promise<string> => {
  const url = new URL(inject('postgresOfPrograms'))
  const name = `installation_${newId().replaceAll('-', '')}`
  await administer(url, `create database ${name}`)
  url.pathname = `/${name}`
  return url.href
}

export interface PostgresOfFile extends Pick<TestPostgres, 'pause' | 'resume'> {
  newDatabase(): Promise<string>
}

/** One PostgreSQL for all tests of a file that takes it away. */
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
