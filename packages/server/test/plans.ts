import { readFileSync, rmSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
} from 'kysely'
import { Client } from 'pg'
import type { ReadDb } from '../src/database/database.ts'
import { hideValues } from '../src/database/dialects/sqlite/hidden-values.ts'
import { StatementCompiler } from '../src/database/dialects/sqlite/statement-compiler.ts'
import type { DatabaseAddress } from '../src/database/open.ts'
import type { Schema } from '../src/database/schema.ts'
import { testDialect } from './test-database.ts'

/** It collects the statements of a query function without running them. */
export const statementsOf = async (ask: (db: ReadDb) => Promise<unknown>): Promise<CompiledQuery[]> => {
  const statements: CompiledQuery[] = []
  const isSqlite = testDialect === 'sqlite'
  const db = new Kysely<Schema>({
    dialect: {
      createAdapter: () => (isSqlite ? new SqliteAdapter() : new PostgresAdapter()),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db: Kysely<unknown>) =>
        isSqlite ? new SqliteIntrospector(db) : new PostgresIntrospector(db),
      createQueryCompiler: () => (isSqlite ? new StatementCompiler() : new PostgresQueryCompiler()),
    },
    log: ({ query }) => {
      statements.push(query)
    },
  })
  await ask(db)
  return statements
}

/** It returns the database's plan of each statement, a line a step. */
export const plansOf = async (
  address: DatabaseAddress,
  statements: readonly CompiledQuery[],
  { bitmaps = 'off' }: { readonly bitmaps?: 'on' | 'off' } = {},
): Promise<{ sql: string; steps: string[] }[]> => {
  if (address.kind === 'sqlite') return sqlitePlans(address.file, statements)
  const client = new Client({ connectionString: address.url })
  await client.connect()
  const explain = async () => {
    const plans: { sql: string; steps: string[] }[] = []
    for (const { sql, parameters } of statements) {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${sql}`, [...parameters])
      plans.push({ sql, steps: rows.map((row) => row['QUERY PLAN']) })
    }
    return plans
  }
  try {
    await client.query('analyze')
    // A few rows are quickly read and sorted; what is asked is whether there is another way when there are many.
    for (const way of ['seqscan', 'sort', 'hashjoin']) await client.query(`set enable_${way} = off`)
    // There is no other way to go through an index of words.
    await client.query(`set enable_bitmapscan = ${bitmaps}`)
    return await explain()
  } finally {
    await client.end()
  }
}

const sqlitePlans = (file: string, statements: readonly CompiledQuery[]): { sql: string; steps: string[] }[] => {
  // A copy: statistics are written, and a write of the server that is under way could not end while this one waits for it.
  const copy = `${file}.plans`
  const original = new Sqlite(file, { readonly: true })
  original.prepare('vacuum into ?').run(copy)
  original.close()
  const database = new Sqlite(copy)
  const explain = () =>
    statements.map(({ sql, parameters }) => {
      const plan = database
        .prepare<unknown[], { detail: string }>(`explain query plan ${hideValues(sql)}`)
        .all(...parameters)
      return { sql, steps: plan.map(({ detail }) => detail) }
    })
  try {
    // The plans are taken without statistics, with real statistics, and with those of a million books (pins W16).
    database.exec('drop table if exists sqlite_stat1; analyze sqlite_schema')
    const first = explain()
    database.exec('analyze')
    const analysed = explain()
    loadMillion(database)
    return [...first, ...analysed, ...explain()]
  } finally {
    database.close()
    rmSync(copy)
  }
}

/** The file is made by `npm run bench:plans`. */
const million = new URL('statistics/million-sqlite.json', import.meta.url)

const loadMillion = (database: Sqlite.Database): void => {
  const rows = JSON.parse(readFileSync(million, 'utf8')) as readonly (readonly [string, string | null, string])[]
  database.exec('delete from sqlite_stat1; drop table if exists sqlite_stat4')
  const insert = database.prepare('insert into sqlite_stat1 (tbl, idx, stat) values (?, ?, ?)')
  // Tables that are empty in that library may hold any number of rows elsewhere.
  for (const row of rows) if (!row[2].startsWith('0')) insert.run(...row)
  database.exec('analyze sqlite_schema')
}

/**
 * Steps that read a whole table, or put into order what an index should have had in order; parts of a merge that were
 * cut to what a page can need may be ordered.
 */
export const slowSteps = (steps: readonly string[]): string[] => {
  if (testDialect === 'postgres')
    return steps.filter((step, index) => {
      if (step.includes('Seq Scan on')) return true
      if (!/^(?:\s*->\s+)?(?:Incremental )?Sort\b(?! Key)/.test(step)) return false
      const below = steps.slice(index + 1)
      const [first = '', second = ''] = below.filter((each) => each.includes('->'))
      // Parts of a merge, or the rows of one page, each found by its id.
      const isCut =
        first.includes('Append') || (first.includes('Nested Loop') && /Limit|Subquery Scan on page/.test(second))
      // One series after the other, and within each by their place.
      const isWithin =
        step.includes('Incremental') && below.some((each) => /Presorted Key: series\S*\.sort_key/.test(each))
      return !isCut && !isWithin
    })
  const isCut = (step: string | undefined) =>
    step?.startsWith('SCAN ') === true && steps.includes(step.replace('SCAN', 'CO-ROUTINE'))
  // The rows of one page, each found by its id: by its key, or by the one other index that begins with it.
  const isPage = (index: number) =>
    isCut(steps[index - 2]) && /(?:_1| book_in_short) \(id=\?\)$/.test(steps[index - 1] ?? '')
  return steps.filter((step, index) =>
    step.includes('TEMP B-TREE')
      ? !isCut(steps[index - 1]) && !isPage(index)
      : /^SCAN (?!.*USING (?:COVERING )?INDEX)/.test(step) && !isCut(step),
  )
}
