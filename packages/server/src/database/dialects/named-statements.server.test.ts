import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { makeDatabase, testOn } from '../../../test/test-database.ts'
import { createLog } from '../../platform/log.ts'
import { openDatabase } from '../open.ts'

testOn('postgres', 'what is asked again and again gets a name, what is asked now and then none', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'carrel-names-'))
  const { address, remove } = await makeDatabase(directory)
  const database = await openDatabase(address, createLog({ level: 'silent', format: 'json' }), (error) => {
    throw error
  })
  try {
    const answers = await database.write(async (db) => {
      const asked = []
      for (let at = 0; at < 8; at += 1) {
        const { rows } = await sql<{ sum: number }>`select cast(${at} as int) + 1000 as sum`.execute(db)
        asked.push(rows[0]?.sum)
      }
      await sql`select cast(${1} as int) + 2000`.execute(db)
      const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db)
      const named = rows.map(({ statement }) => statement)
      return { asked, named }
    })
    expect(answers.asked).toEqual([1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007])
    expect(answers.named.filter((text) => text.includes('+ 1000'))).toHaveLength(1)
    expect(answers.named.filter((text) => text.includes('+ 2000'))).toEqual([])
  } finally {
    await database.close()
    await remove()
    await rm(directory, { recursive: true, force: true })
  }
})
