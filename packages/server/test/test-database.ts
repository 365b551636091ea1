import { copyFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { inject, test, type TestContext } from 'vitest'
import type { DatabaseAddress } from '../src/database/open.ts'
import { newId } from '../src/platform/ids.ts'
import { administer } from './administer.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A migrated database: the path of a file or the address of a PostgreSQL database. */
    template: string
  }
}

export const testDialect = process.env.TEST_DATABASE === 'postgres' ? 'postgres' : 'sqlite'

/** A test of what only one of the databases has; on the other there is nothing to skip. */
export const testOn = (
  dialect: 'sqlite' | 'postgres',
  title: string,
  run: (context: TestContext) => Promise<void>,
): void => {
  if (testDialect === dialect) test(title, run)
}

export interface TestDatabase {
  readonly address: DatabaseAddress
  remove(): Promise<void>
}

/** A database of one's own, migrated and empty. */
export const makeDatabase = async (directory: string): Promise<TestDatabase> => {
  const template = inject('template')
  if (testDialect === 'sqlite') {
    const file = join(directory, 'carrel.db')
    await copyFile(template, file)
    return { address: { kind: 'sqlite', file }, remove: () => rm(file, { force: true }) }
  }
  const name = `test_${newId().replaceAll('-', '')}`
  const url = new URL(template)
  await administer(url, `create database ${name} template ${url.pathname.slice(1)} strategy file_copy`)
  const own = new URL(template)
  own.pathname = `/${name}`
  return {
    address: { kind: 'postgres', url: own.href },
    remove: () => administer(url, `drop database ${name} with (force)`),
  }
}

/** One of PostgreSQL without any tables. */
export const makeEmptyDatabase = async (): Promise<{ readonly url: string; remove(): Promise<void> }> => {
  const url = new URL(inject('template'))
  const name = `test_${newId().replaceAll('-', '')}`
  await administer(url, `create database ${name}`)
  const own = new URL(url)
  own.pathname = `/${name}`
  return { url: own.href, remove: () => administer(url, `drop database ${name} with (force)`) }
}
