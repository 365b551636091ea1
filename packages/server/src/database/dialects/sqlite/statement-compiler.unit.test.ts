import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { DummyDriver, Kysely } from 'kysely'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../../test/smoke/temporary-folder.ts'
import { createLog } from '../../../platform/log.ts'
import { migrate } from '../../migrate.ts'
import { openDatabase } from '../../open.ts'
import type { Schema } from '../../schema.ts'
import { dialectWith } from './kysely-parts.ts'
import { indexedByValue } from './statement-compiler.ts'

const log = createLog({ level: 'silent', format: 'json' })
const db = new Kysely<Schema>({ dialect: dialectWith(new DummyDriver()) })

/** Columns that an index over some rows compares with a value. */
const comparedIn = (index: string): string[] => {
  const where = index.slice(index.toLowerCase().lastIndexOf(' where '))
  return [...where.matchAll(/"?([a-z_]+)"? (?:=|<>|!=|<=?|>=?|in) \(?(?:'[^']+'|\d)/g)].flatMap(
    ([, column]) => column ?? [],
  )
}

test('W16 values stand in the statement where an index over some rows asks for them', async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'carrel.db')
  const database = await openDatabase({ kind: 'sqlite', file }, log, () => undefined)
  await migrate({ database, log, clock: () => new Date(), keepCopy: async () => undefined })
  await database.close()

  const sqlite = new Sqlite(file, { readonly: true })
  const indexes = sqlite.prepare<[], string>(
    `select sql from sqlite_schema where type = 'index' and sql like '% where %'`,
  )
  const columns = new Set(indexes.pluck().all().flatMap(comparedIn))
  sqlite.close()
  expect([...columns].sort()).toEqual([...indexedByValue].sort())
})

test('W16 words that the program names stand in the statement, and other values do not', () => {
  const where = (value: string) =>
    db
      .selectFrom('book')
      .select('id')
      .where('book.state', '=', value as 'present')
      .compile()
  expect(where('present')).toMatchObject({
    sql: `select "id" from "book" where "book"."state" = 'present'`,
    parameters: [],
  })
  for (const sent of [`it's`, 'Present', 'x'.repeat(33), ''])
    expect(where(sent)).toMatchObject({ sql: `select "id" from "book" where "book"."state" = ?`, parameters: [sent] })
  const ofMany = db.selectFrom('series').select('id').where('book_count', '>', 7).compile()
  expect(ofMany.parameters).toEqual([7])
  const ofAny = db.selectFrom('series').select('id').where('book_count', '>', 0).compile()
  expect(ofAny).toMatchObject({ sql: `select "id" from "series" where "book_count" > 0`, parameters: [] })
})

test('W16 a long list of texts is one parameter, and a short one as many as it has', () => {
  const among = (count: number) =>
    db
      .selectFrom('book')
      .select('id')
      .where(
        'id',
        'in',
        Array.from({ length: count }, (_, index) => String(index)),
      )
      .compile()
  expect(among(499).parameters).toHaveLength(499)
  expect(among(500).parameters).toHaveLength(1)
  expect(among(500).sql).toBe(`select "id" from "book" where "id" in (select value from json_each(?))`)
})
